"""What is behind the app, asked over the wire of whoever started the desk with an address for it.

The desk knows nothing of the app but what it is told there: `/about`, `/boxes` and `/spent`, each a JSON object or
`{"problem": sentence}`. Without an address it says so instead of guessing.
"""

from __future__ import annotations

import json

import httpx

from bot.desk.errors import BadRequest
from bot.desk.shapes import Json

PAGES = ("about", "boxes", "spent")
TIMEOUT_S = 10.0
NOBODY = "Nobody told this desk what is behind the app: it was started without --behind."


async def asked(url: str, page: str) -> Json:
    """One of PAGES. Raises BadRequest for another; what cannot be had is a problem in words."""
    if page not in PAGES:
        raise BadRequest(f"There is {', '.join(PAGES)}.")
    if not url:
        return {"problem": NOBODY}
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=TIMEOUT_S) as http:
            answer = (await http.get(f"{url}/{page}")).json()
    except (httpx.HTTPError, json.JSONDecodeError) as error:
        return {"problem": f"What is behind the app cannot be asked now ({type(error).__name__})."}
    return answer if isinstance(answer, dict) else {"problem": "What is behind the app answered nothing of use."}
