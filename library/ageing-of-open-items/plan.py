"""Open items by how long they have been open when the report is due, per owner, and the oldest of them."""

from zoneinfo import ZoneInfo

from kit import (
    agreed_files,
    check,
    check_ends,
    check_steady,
    check_usual,
    intermediate,
    metric,
    moment_in_sql,
    params,
    period,
    read_table,
    report,
    slot,
    table,
)

BOUNDS = (30, 60, 90)  # days
COLUMNS = ["0-30 days", "31-60 days", "61-90 days", "over 90 days"]
SHOWN = 15

today = slot.until.astimezone(ZoneInfo(slot.zone)).date()
agreed = params.get("open_rows", {})  # by which column rows are open; none where all are
state = agreed.get("column", "")
known = [*agreed["open"], *agreed.get("closed", [])] if state else []
total, closed = 0, {}  # rows read, and those left out by what the column says
items = []  # days open, key, owner, amount, opened
for file in agreed_files():
    rows = read_table(file)
    check_steady(file, rows, numbers=["amount"], names=["owner"], any_age=True)
    check("NoDates", bool(rows.dated), f"{file.name} does not say when its items were opened", file=file.name)
    has_state = not state or state in rows.names
    check("UnknownState", has_state, f"{file.name} has no column {state}, which says what is open", file=file.name)
    name = '"' + state.replace('"', '""') + '"'
    says = f"coalesce(trim(CAST({name} AS VARCHAR)), '')" if state else "''"
    question = f"SELECT CAST({moment_in_sql(rows)} AS DATE), item, owner, amount, {says} FROM rows"
    for opened, item, owner, amount, said in rows.sql(question, numbers=["amount"]):
        total += 1
        if state and said not in agreed["open"]:
            words = f"{item} in {file.name} has {state} “{said}”: nobody said whether that is open"
            check("UnknownState", "closed" not in agreed or said in known, words, expected=", ".join(known))
            kind = said if "closed" in agreed else f"with {state}"
            closed[kind] = closed.get(kind, 0) + 1
            continue
        age = (today - opened).days
        words = f"{item} in {file.name} was opened on {opened}, after the report"
        check("OpenedLater", age >= 0, words, file=file.name)
        check("NoItem", item.strip() != "", f"{file.name} has a row without an item", file=file.name)
        items.append((age, item, owner, amount, opened.isoformat()))
check_ends()
check("NoneOpen", bool(items), f"none of {total:,} rows is open", expected="at least one")
twice = len(items) - len({item for _, item, _, _, _ in items})
check("ItemTwice", not twice, f"{twice:,} items are listed twice", expected="each item once")

owners = {}
for age, _, owner, amount, _ in items:
    sums = owners.setdefault(owner, [0, 0, 0, 0])
    sums[sum(age > bound for bound in BOUNDS)] += amount
whole = [sum(sums[place] for sums in owners.values()) for place in range(4)]
check("PartsAgree", sum(whole) == sum(item[3] for item in items), "the owners do not add up to the whole")
check_usual("open items", len(items))
check_usual("open amount", sum(whole))
check_usual("oldest in days", max(items)[0])
metric("over 90 days", whole[3])
left = ", ".join(f"{said or 'nothing'} ({count:,})" for said, count in sorted(closed.items()))
intermediate("items read", len(items), "items")

items.sort(key=lambda item: (-item[0], item[1]))
rows = [[owner, *sums, sum(sums)] for owner, sums in sorted(owners.items(), key=lambda one: (-sum(one[1]), one[0]))]
table("By owner", ["owner", *COLUMNS, "together"], rows)
table("The oldest", ["item", "owner", "opened", "days", "amount"], [[i, o, t, d, a] for d, i, o, a, t in items[:SHOWN]])
report(
    count=len(items),
    amount=sum(whole),
    old=f"{whole[3]:,} ({sum(item[0] > BOUNDS[2] for item in items):,} items)",
    oldest=f"{items[0][1]}, {items[0][0]:,} days, {items[0][2]}",
    rows=f"{total:,}; not open by {state} and left out: {left}" if left else total,
    period=period(),
)
