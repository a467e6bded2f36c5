"""Turns measurements into tables and holds ratios against goals."""

from dataclasses import dataclass
from statistics import median
from typing import Optional

import plan


@dataclass(frozen=True)
class Verdict:
    """A goal, what was measured for it, and what that means."""

    goal: plan.Goal
    value: Optional[float]
    low: Optional[float]
    high: Optional[float]

    @property
    def text(self):
        if self.value is None:
            return "not measured"
        if self.goal.must is None:
            return "for information"
        if self.goal.stretch is not None and self.value <= self.goal.stretch:
            return "**stretch met**"
        return "met" if self.value <= self.goal.must else "**missed**"

    @property
    def missed(self):
        return self.value is None or (self.goal.must is not None and self.value > self.goal.must)


def judge(measurements):
    """One verdict for each goal.

    A ratio is taken inside each round, where both clients saw the same machine, and the median of the
    rounds counts; the spread is the lowest and the highest round.
    """
    return [_judge(goal, measurements.get(goal.group, {})) for goal in plan.goals()]


def _judge(goal, group):
    of = [m[goal.metric] for m in group.get(goal.measured, [])]
    if goal.against is not None:
        base = [m[goal.metric] for m in group.get(goal.against, [])]
        # A round in which one of the two failed gives no ratio; bench.py reports the failure.
        of = [a / b for a, b in zip(of, base) if b > 0] if len(of) == len(base) else []
    if not of:
        return Verdict(goal, None, None, None)
    return Verdict(goal, median(of), min(of), max(of))


def goals_table(verdicts):
    lines = ["| goal | measured | spread | must | stretch | verdict |", "|---|--:|--:|--:|--:|---|"]
    for verdict in verdicts:
        goal = verdict.goal
        number = lambda value: "–" if value is None else f"{value:,.{_digits(goal, value)}f}"
        spread = "–" if verdict.value is None else f"{number(verdict.low)} – {number(verdict.high)}"
        limit = lambda value: "–" if value is None else f"≤ {number(value)}"
        lines.append(f"| {goal.title} | {number(verdict.value)} | {spread} | {limit(goal.must)} | "
                     f"{limit(goal.stretch)} | {verdict.text} |")
    return "\n".join(lines)


def _digits(goal, value):
    """The digits after the point. Two would make a small ratio a zero."""
    if goal.against is None:
        return 0
    return 4 if value < 0.1 else 2


def group_table(group, measured):
    """Medians of one group's runs; the ratio is to raw libcurl in C, round by round."""
    lines = ["| client | requests/s | CPU µs/request | spread | ratio to C | p50 µs | p99 µs | peak MB | switches/request |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    raw = measured.get(plan.RAW, [])
    for run in group.runs:
        rounds = measured.get(run.label, [])
        if not rounds:
            lines.append(f"| {run.label} | not measured | – | – | – | – | – | – | – |")
            continue
        of = lambda metric: [m[metric] for m in rounds]
        cpu = of(plan.CPU)
        ratio = "–"
        if len(raw) == len(rounds):
            ratio = f"{median(a / b[plan.CPU] for a, b in zip(cpu, raw)):.2f}"
        lines.append(f"| {run.label} | {median(of('requestsPerSecond')):,.0f} | {median(cpu):.1f} | "
                     f"{min(cpu):.1f} – {max(cpu):.1f} | {ratio} | {median(of('p50Microseconds')):,.0f} | "
                     f"{median(of('p99Microseconds')):,.0f} | {median(of('peakResidentKibibytes')) / 1024:.1f} | "
                     f"{median(of('switchesPerRequest')):.2f} |")
    return "\n".join(lines)


def bulk_table(group, measured):
    """Medians of one group of large bodies, which are sent one at a time."""
    lines = ["| client | MiB/s | CPU µs/MiB | spread | grown MB | peak MB | switches/MiB |", "|---|--:|--:|--:|--:|--:|--:|"]
    for run in group.runs:
        rounds = measured.get(run.label, [])
        if not rounds:
            lines.append(f"| {run.label} | not measured | – | – | – | – | – |")
            continue
        of = lambda metric: [m[metric] for m in rounds]
        cpu = of(plan.CPU)
        lines.append(f"| {run.label} | {median(of('mebibytesPerSecond')):,.0f} | {median(cpu):.0f} | "
                     f"{min(cpu):.0f} – {max(cpu):.0f} | {median(of(plan.GROWN)) / 1024:.1f} | "
                     f"{median(of('peakResidentKibibytes')) / 1024:.1f} | {median(of('switchesPerMebibyte')):.2f} |")
    return "\n".join(lines)


def operations_table(measurements, kind):
    lines = ["| operation | group | bytes | ns | spread |", "|---|---|--:|--:|--:|"]
    for name, operations in measurements.items():
        if not name.startswith(f"{kind}-"):
            continue
        for operation, rounds in operations.items():
            if "nanoseconds" not in rounds[0]:
                continue
            values = [m["nanoseconds"] for m in rounds]
            lines.append(f"| {operation} | {name} | {rounds[0]['length']:,} | {median(values):,.0f} | "
                         f"{min(values):,.0f} – {max(values):,.0f} |")
    return "\n".join(lines)


def document(machine, groups, measurements, verdicts, quick, busy):
    parts = ["; ".join(f"{key}: {value}" for key, value in machine.items())]
    if quick:
        parts.append("**A quick run: few requests, few rounds. It shows that everything works and decides nothing.**")
    if busy:
        parts.append("**The machine was busy with something else: these ratios are not to be relied on.**")
    parts += ["### Goals", goals_table(verdicts), "### Clients"]
    for group in groups:
        if group.name in measurements and group.transfer:
            parts += [f"**{group.title}** ({group.rounds} rounds)", bulk_table(group, measurements[group.name])]
        elif group.name in measurements:
            parts += [f"**{group.title}** ({group.rounds} rounds, "
                      f"{max(run.requests for run in group.runs):,} requests at most)",
                      group_table(group, measurements[group.name])]
    for kind, title in (("signing", "Signing"), ("json", "JSON"), ("websocket", "WebSockets")):
        if any(name.startswith(f"{kind}-") for name in measurements):
            parts += [f"**{title}**", operations_table(measurements, kind)]
    return "\n\n".join(parts) + "\n"
