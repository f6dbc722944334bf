"""The app itself: what it was granted, how it is reached, how it is installed, and its end."""

from __future__ import annotations

from dataclasses import replace

from bot.desk.control import Handler, Order
from bot.desk.shapes import Json


async def change_settings(order: Order) -> Json:
    if order.get("scopes") is not None:
        order.desk.workspace.app = replace(order.desk.workspace.app, scopes=frozenset(order.get("scopes")))
    if order.get("redelivery_waits_s") is not None:
        order.desk.delivery.redelivery_waits_s = [float(one) for one in order.get("redelivery_waits_s")]
    if order.get("token_revoked") is not None:
        order.desk.token_revoked = bool(order.get("token_revoked"))
    if order.get("request_url") is not None:
        await order.desk.posts.move_to(order.get("request_url"))
    if order.get("ack_within_s") is not None:
        order.desk.hub.ack_within_s = order.desk.posts.ack_within_s = float(order.get("ack_within_s"))
    oauth, workspace = order.desk.oauth, order.desk.workspace
    if order.get("redirect_uris") is not None:
        oauth.redirect_uris = list(order.get("redirect_uris"))
    if order.get("token_life_s") is not None:
        oauth.token_life_s = int(order.get("token_life_s"))
    if order.get("enterprise") is not None:
        workspace.enterprise, workspace.is_org_wide = order.get("enterprise"), bool(order.get("is_org_wide"))
    waits_s = list(order.desk.delivery.redelivery_waits_s)
    return {"scopes": sorted(order.desk.scopes), "redelivery_waits_s": waits_s, "request_url": order.desk.posts.url}


async def change_installation(order: Order) -> Json:
    action, desk = (order.path or {})["action"], order.desk
    if action == "uninstall":
        desk.uninstall()
    elif action == "revoke":
        desk.revoke()
    elif action == "expire":
        desk.oauth.expire(desk)
    return {"tokens": desk.oauth.count(desk)}


ORDERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/settings", change_settings),
    ("POST", "/installation/{action}", change_installation),
)
