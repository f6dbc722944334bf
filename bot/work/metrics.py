"""What is counted for Prometheus; each process shows what happened in it."""

from prometheus_client import REGISTRY, Counter, Gauge, Histogram

EVERYTHING = REGISTRY
"""These, and what the client adds of the process itself."""

RUNS = Counter("standby_runs", "Runs that ended, by how.", ["state"])
RUN_SECONDS = Histogram(
    "standby_run_seconds", "From the claim of a run to its outcome.", buckets=(0.5, 1, 2, 5, 10, 30, 60, 300, 1800)
)
LATE_SECONDS = Histogram(
    "standby_late_seconds", "From the due moment to the claim of its run.", buckets=(1, 2, 5, 10, 30, 60, 300, 3600)
)
DELIVERIES = Counter("standby_deliveries", "Deliveries that ended, by how and by kind of destination.", ["state", "to"])
JOBS_FAILED = Counter("standby_jobs_failed", "Attempts of jobs that failed, by job.", ["job"])
MENDED = Counter("standby_mended", "Things that waited without a job and got one, or an ending.")
RESCUED = Counter("standby_rescued", "Jobs taken from workers that fell silent.")
LAST_TICK = Gauge("standby_last_tick_seconds", "When the leading clock last looked for due slots, since 1970.")
SOCKET_GAPS = Counter("standby_socket_gaps", "Times that the connection on which Slack is heard was lost.")
SLACK_RETRIES = Counter("standby_slack_retries", "Requests that Slack sent again, in HTTP mode.")
SOCKET_GAP_SECONDS = Counter("standby_socket_gap_seconds", "Seconds in all without a connection to hear Slack on.")
