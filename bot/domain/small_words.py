"""Words of a request by what they can do to an answer: nothing, something, or something to the words behind them."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Manners, pronouns, verbs of asking, and what reports and their files are called: the answer is the same without.
IDLE = _words(
    """
    a an the this that these those here there it its it's they them their theirs he she his her hers we us our
    ours you you're your yours i i'm i'd i'll we'd we'll i've we've me my mine myself ourselves yourself who
    whom which what whats what's how why is are was were be been being am do does did done doing have has had
    having can could would should shall will may might must let lets let's please pls plz instead kindly ran
    happen happened occurred got went thanks thank thankyou thx ty cheers hi hello hey dear hei hallo morning
    greetings regards best welcome ok okay yes yep sure great good nice fine perfect lovely cool sorry hm hmm oh
    well too also again now right away soon asap quickly quick ready possible possibly maybe perhaps just simply
    really very quite rather always usual usually normally exactly so then and or but as like such same etc e.g
    i.e ie eg want wants wanted need needs needed wish wishes likes love think know see look looking read tell
    show shows give gives get gets take takes put puts make makes made making create creates produce produces
    prepare prepares generate build builds compile compiles compute computes calculate calculates work works out
    run runs running find finds help helps send sends post posts mail mails email emails e-mail share shares
    forward deliver publish write writes say says said report reports reporting answer answers question
    questions ask asks asking request requests check checks go goes start starts begin use uses using used keep
    keeps come comes coming set up add adds summarise summarize overview overviews result results outcome list
    lists listing table tables spreadsheet format file files sheet sheets csv csvs xlsx excel workbook workbooks
    parquet json jsonl log logs data dataset export exports extract dump attachment attachments attached attach
    attaching enclosed upload uploaded uploads posted posting below above following column columns row rows line
    lines record records entry entries cell cells number numbers figure figures value values information info
    content contents whole complete entire full all any each every both one ones everything something anything
    nothing everybody everyone anybody anyone somebody someone folks guys team colleagues boss manager
    management board office accounting accountant accountants controller finance bookkeeping customer-service
    department group staff people meeting meetings deck slides slide presentation channel thread slack message
    messages standby bot routine routines recurring regularly regular schedule scheduled automatic automatically
    once time times job task forget worry hesitate mind matter new simple short small brief clear neat tidy
    nicely pretty easy easily much more some of for from in on at to into onto with about off via through over
    back down around
    """
)

# From here on in a part of a sentence, something is taken away, or only something is taken.
TAKES_AWAY = _words(
    """
    without except excepting excluding excludes exclude excl omit omits omitting skip skips skipping ignore
    ignores ignoring minus drop drops dropping remove removes removing delete not never don't dont doesn't isn't
    aren't no nor leave leaving apart
    """
)
LIMITS = _words(
    """
    since after before until till only solely where whose when if unless between under exceeding exceed starting
    ending beginning during within filter filtered than least older newer later earlier greater less more fewer
    larger smaller bigger higher lower < > <= >= ≤ ≥ = above below over whenever while
    """
)
# “by month”: whatever stands there is how rows are to be put together.
GROUPS = _words("by per pr nach je etter across")
# What people and things are called, and rows are put together by: “by office”, though not “by the office”.
MAY_GROUP = _words(
    """
    office department group team staff manager accountant channel board file sheet accounting customer-service
    meeting message record entry
    """
)
EACH = _words("each every")
OURS = _words("our my these those")
# What stands behind them is a part of the data, where the data has it: “for Finance” is no team to be mailed to.
PICKS_OUT = (TAKES_AWAY | LIMITS | _words("for of in from versus vs against")) - _words("over above below when")
OPENS = _words("for of from in on at to with about into within as via through and or to against versus vs")

# “Which of the shops had …” asks for shops.
ASKS_FOR = _words("which what")
WHICH_OF = _words("of the these those all")
BEFORE_WHICH = _words(
    "me us know see say tell show find list out and or then in of for at from to by please hi hello hey"
)
HAD = _words("had has have is are was were did do does ran made got comes came sold most highest lowest best")

PERIODS = _words(
    """
    day days week weeks month months quarter quarters year years hour hours minute minutes today yesterday
    tomorrow weekend weekends daily weekly monthly quarterly yearly annual annually hourly nightly fortnight ytd
    mtd qtd fiscal calendar date dates period periods season monday tuesday wednesday thursday friday saturday
    sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january february april june july
    august september october november december jan feb apr jun jul aug sep sept oct nov dec
    """
)
MAY_BE_MONTHS = _words("March May Mar Sun Sat")  # with a capital they are, small they are other words
CHANGES = _words(
    """
    average averages averaged avg mean means median minimum min maximum max count counts counting counted many
    percentile percentiles deviation variance cumulative accumulated rolling moving forecast forecasts predict
    predicted prediction projected projection expected correlation trend growth change changes compare compared
    comparing comparison versus difference differences delta chart charts graph graphs plot plots pie histogram
    heatmap picture diagram convert converted conversion currency currencies adjusted adjust weighted rounded
    round rounding thousands millions billions net gross vat tax taxes refund refunds refunded returns
    duplicates deduplicate deduplicated unique distinct top bottom largest smallest highest lowest biggest first
    last latest newest oldest recent recently previous prior past next negative positive zero zeros nonzero
    empty missing cancelled canceled approved paid unpaid open closed pending internal external current half
    third double twice ratio separately separate split merge merged join joined match matching percent
    percentage percentages nok sek dkk eur usd gbp chf jpy cny inr pln czk huf ron isk aud cad nzd zar brl mxn
    sgd hkd try euro euros dollar dollars pound pounds krone kroner kronor yen francs kg g lb lbs tonnes tons km
    miles metres meters celsius fahrenheit litres liters
    """
)
# What a schedule says beside its days and hours.
RHYTHM = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
    saturdays sundays weekday weekdays workday workdays morning mornings afternoon afternoons evening evenings
    night nights noon midnight sharp o'clock oclock am pm every each time local lunch public bank national
    holiday holidays
    """
)
CLOCK = re.compile(
    r"\d{1,2}(?:[:.]\d{2})?(?:am|pm)?|\d{1,2}h\d{2}|\d{1,2}(?:st|nd|rd|th)"
)  # a time or day of a schedule
FILES = _words(
    """
    file files log logs data export exports sheet sheets csv csvs book books workbook workbooks table tables
    dump extract extracts attachment attachments upload uploads spreadsheet spreadsheets readings pings
    """
)
# Several words together that say nothing of the answer, or why it is wanted.
ASIDES = re.compile(
    r"(?i:\b(?:as soon as (?:possible|you can)|no (?:rush|hurry|need|worries|problem)\b(?: to (?:hurry|rush))?|at all"
    r"|when(?:ever)? (?:you (?:can|have (?:a )?(?:time|moment|minute))|possible|convenient|there (?:are|is)(?: a)?)"
    r"|if (?:you (?:can|could|please|don['’]t mind|have time)|possible|that(?:['’]s| is) (?:ok|okay|possible|fine))"
    r"|without (?:me|us|anybody|anyone|my|our|having|asking|a model|delay|further)\b[^,.;]*"
    r"|over time|first thing|not urgent|nothing (?:else|more|fancy)"
    r"|one[- ](?:off|time)|(?:just|only) (?:this )?once|this time only|only this time|for (?:now|once)"
    r"|from now on|going forwards?|over to you|up to date|each time|every time|at once"
    r"|(?:don['’]t|do not) (?:need|want|have) anything (?:else|fancy)"
    r"|(?:over|with|for|from|of|across|in) (?:all|the whole|every|both|these|those|the attached|the)(?: of)? ?(?:the )?"
    r"(?:rows?|files?|data|tables?|lines?|entries|sheets?|csvs?|attachments?|logs?)"
    r"|(?:best|worst|largest|biggest|highest|lowest|smallest|newest|oldest) (?:ones? )?(?:first|last|on top))\b"
    r"|:[a-z0-9_+-]+:)"
    r"|(?i:\b(?:thanks|thank you|cheers|regards|best)),? +(?P<name>[A-Z][\w-]+)\s*$"
    r"|\b[A-Z][\w-]+ (?=(?:needs?|wants?|asks?|asked|wanted|would like|is asking)\b)"
)
# Why it is wanted; what such a reason says may be a condition all the same.
REASONS = re.compile(r"(?i:\b(?:(?:so|in order) that|because)\b[^,.;!?]*)")
