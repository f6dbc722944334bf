"""What each family of instruments writes into its log. Some harmless lines hold the word error, as real ones do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Phrase:
    """A module and its words; `{60..120}` stands for a number in that range."""

    module: str
    words: str


Family = dict[str, tuple[Phrase, ...]]

SPECTROMETER: Family = {
    "DEBUG": (
        Phrase("comm", "Heartbeat {1000..9999} acknowledged in {2..40} ms"),
        Phrase("stage", "Stage moved to {0..180}.{0..9} mm"),
        Phrase("detector", "Dark current {0.1..2.4} pA"),
        Phrase("scan", "Buffer {1..64} of 64 written"),
    ),
    "INFO": (
        Phrase("lamp", "Lamp warm-up finished in {60..120} s"),
        Phrase("scan", "Scan {10000..99999} finished, {200..900} points"),
        Phrase("scan", "Sample S-{1000..9999} loaded in position {1..24}"),
        Phrase("selftest", "Self-test finished: 0 errors, {0..3} notes"),
        Phrase("calib", "Calibration error {0.1..0.9} nm is within tolerance"),
        Phrase("store", "Spectrum {10000..99999} stored, {40..90} kB"),
    ),
    "WARN": (
        Phrase("lamp", "Lamp intensity at {71..84} % of nominal"),
        Phrase("detector", "Detector temperature {26.0..29.9} C above set point"),
        Phrase("store", "Disk {85..94} % full"),
    ),
    "ERROR": (
        Phrase("lamp", "E-101 Lamp failed to ignite after {3..5} tries"),
        Phrase("detector", "E-204 Detector saturated at {340..820} nm"),
        Phrase("stage", "E-310 Stage did not reach position {1..24}"),
        Phrase("comm", "E-402 Controller did not answer within {500..900} ms"),
    ),
}

CHROMATOGRAPH: Family = {
    "DEBUG": (
        Phrase("pump", "Flow {0.8..1.2} mL/min"),
        Phrase("uv", "Baseline noise {1..9} uAU"),
        Phrase("column", "Oven at {38.0..41.0} C"),
    ),
    "INFO": (
        Phrase("injector", "Injection {100..999} of {5..20} uL from vial {1..96}"),
        Phrase("uv", "Peak found at {1.0..19.0} min, area {1000..99999}"),
        Phrase("pump", "Pressure {180..260} bar, stable"),
        Phrase("run", "Run {1000..9999} finished without errors"),
        Phrase("run", "Sequence of {8..48} samples started"),
    ),
    "WARN": (
        Phrase("pump", "Pressure ripple {2.0..4.9} %"),
        Phrase("column", "Column has seen {900..1400} injections"),
        Phrase("solvent", "Solvent B at {5..12} %"),
    ),
    "ERROR": (
        Phrase("pump", "E-511 Pressure above limit: {401..440} bar"),
        Phrase("leak", "E-520 Leak sensor wet in module {1..4}"),
        Phrase("injector", "E-533 Needle blocked at vial {1..96}"),
    ),
}

CENTRIFUGE: Family = {
    "DEBUG": (
        Phrase("drive", "Speed {300..14000} rpm"),
        Phrase("rotor", "Imbalance {1..9} %"),
    ),
    "INFO": (
        Phrase("run", "Run {100..999} finished after {5..45} min"),
        Phrase("lid", "Lid closed and locked"),
        Phrase("drive", "Last run: error counter 0"),
        Phrase("rotor", "Rotor {1..4} recognised"),
    ),
    "WARN": (
        Phrase("rotor", "Imbalance {10..19} %, speed reduced"),
        Phrase("drive", "Motor temperature {61..74} C"),
    ),
    "ERROR": (
        Phrase("rotor", "E-610 Imbalance {20..34} %, run stopped"),
        Phrase("lid", "E-622 Lid lock did not close"),
    ),
}

INCUBATOR: Family = {
    "DEBUG": (
        Phrase("co2", "CO2 {4.8..5.2} %"),
        Phrase("temp", "Chamber {36.8..37.2} C"),
        Phrase("humidity", "Humidity {88..96} %"),
    ),
    "INFO": (
        Phrase("temp", "Set point reached, deviation {0.1..0.3} C"),
        Phrase("door", "Door closed after {4..30} s"),
        Phrase("co2", "Sensor zeroed, error below {0.1..0.2} %"),
    ),
    "WARN": (
        Phrase("door", "Door open for {31..90} s"),
        Phrase("humidity", "Water tray at {8..14} %"),
    ),
    "ERROR": (
        Phrase("co2", "E-701 CO2 {2.0..3.9} % below alarm limit"),
        Phrase("temp", "E-712 Chamber at {38.1..39.5} C for {5..20} min"),
    ),
}

FREEZER: Family = {
    "DEBUG": (
        Phrase("compressor", "Duty cycle {30..55} %"),
        Phrase("temp", "Shelf {1..5} at -{78..82} C"),
    ),
    "INFO": (
        Phrase("temp", "Mean of the hour -{79..81} C"),
        Phrase("door", "Door closed after {3..20} s"),
        Phrase("alarm", "Alarm test passed, no error"),
        Phrase("log", "Error log is empty, rotated"),
    ),
    "WARN": (
        Phrase("door", "Door open for {21..60} s"),
        Phrase("compressor", "Filter due for cleaning in {1..9} days"),
    ),
    # It has words for errors, and never uses them.
    "ERROR": (Phrase("compressor", "E-801 Compressor stopped"),),
}

FAMILIES: dict[str, Family] = {
    "spectrometer": SPECTROMETER,
    "chromatograph": CHROMATOGRAPH,
    "centrifuge": CENTRIFUGE,
    "incubator": INCUBATOR,
    "freezer": FREEZER,
}
