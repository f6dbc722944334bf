"""The kit: what a script imports. It reads strictly, checks, and declares outputs; it sends nothing."""

from .any_table import read_table
from .csv_reader import CsvReader
from .declare import attach, chart, intermediate, metric, report, table
from .documents import JsonFile, JsonReader, JsonRecord, read_json
from .given import Input, inputs, params, reader_for, slot
from .log_reader import LogReader
from .logs import LogFile, LogRecord, message_kind, read_log
from .missing import missing_files
from .moments import moment_in_sql
from .numbers import exact_number
from .parquet import ParquetFile, ParquetReader, read_parquet
from .steady import agreed_files, check_days, check_steady
from .steady_logs import check_log, check_silence
from .surprise import Surprise, check
from .tables import CsvFile, CsvRow, read_csv
from .text_lines import text_lines
from .usual import check_usual
from .window import Span, check_dates, check_ends, period
from .workbook import ExcelFile, ExcelReader, ExcelRow, read_excel

__all__ = [
    "CsvFile",
    "CsvReader",
    "CsvRow",
    "ExcelFile",
    "ExcelReader",
    "ExcelRow",
    "Input",
    "JsonFile",
    "JsonReader",
    "JsonRecord",
    "LogFile",
    "LogReader",
    "LogRecord",
    "ParquetFile",
    "ParquetReader",
    "Span",
    "Surprise",
    "agreed_files",
    "attach",
    "chart",
    "check",
    "check_dates",
    "check_days",
    "check_ends",
    "check_log",
    "check_silence",
    "check_steady",
    "check_usual",
    "exact_number",
    "inputs",
    "intermediate",
    "message_kind",
    "metric",
    "missing_files",
    "moment_in_sql",
    "params",
    "period",
    "read_csv",
    "read_excel",
    "read_json",
    "read_log",
    "read_parquet",
    "read_table",
    "reader_for",
    "report",
    "slot",
    "table",
    "text_lines",
]
