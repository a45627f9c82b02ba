#!/usr/bin/env python3
"""Measures how the cost of a tick grows with the number of agents, and plots it.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install matplotlib
    /tmp/venv/bin/python tools/performance.py measure   # writes target/performance/*.json
    /tmp/venv/bin/python tools/performance.py plot      # plots them into assets/pictures/growth.png

The cases of one size run in alternation for several rounds, and the best round of each case is
kept, because other load on the machine can only make a run slower.
"""

import argparse
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORTS = ROOT / "target" / "performance"
PICTURE = ROOT / "assets" / "pictures" / "growth.png"
SIZES = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
CASES = {
    "seek": ["--behaviors", "seek"],
    "mix": ["--behaviors", "mix"],
    "flock16": ["--behaviors", "flock", "--neighbors", "16"],
    "flock64": ["--behaviors", "flock", "--neighbors", "64"],
    "free16": ["--behaviors", "flock", "--neighbors", "16", "--plane", "free"],
    "think4": ["--behaviors", "flock", "--neighbors", "16", "--think-every", "4"],
}
LABELS = {
    "seek": "seek a point",
    "mix": "seek, wander, avoid 1,000 obstacles",
    "flock16": "flock, plane, 16 neighbours",
    "flock64": "flock, plane, 64 neighbours",
    "free16": "flock, free space, 16 neighbours",
    "think4": "flock, plane, 16 neighbours, thinking every 4th tick",
}
# The palette of Okabe and Ito (2008), distinguishable with any kind of colour vision.
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]


def ticks_for(agents):
    """Enough ticks for a median, in a reasonable time."""
    return max(10, min(300, 5_000_000 // agents))


def measure(binary, rounds, threads, sizes):
    REPORTS.mkdir(parents=True, exist_ok=True)
    for agents in sizes:
        best = {}
        for _ in range(rounds):
            for case, options in CASES.items():
                for count in threads:
                    report = REPORTS / "last.json"
                    command = [binary, "--headless", "--agents", agents, "--threads", count]
                    command += ["--ticks", ticks_for(agents), "--report", report, *options]
                    subprocess.run([str(part) for part in command], check=True, capture_output=True)
                    result = json.loads(report.read_text())
                    report.unlink()
                    key = f"{case}-{count}-{agents}"
                    known = best.get(key)
                    time = result["ns_per_agent_tick"]["median"]
                    if known is None or time < known["ns_per_agent_tick"]["median"]:
                        best[key] = result
        for key, result in best.items():
            (REPORTS / f"{key}.json").write_text(json.dumps(result, indent=2) + "\n")
            print(key, round(result["ns_per_agent_tick"]["median"], 1), flush=True)


def plot():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot, ticker

    figure, axes = pyplot.subplots(figsize=(9, 6), dpi=110)
    for (case, label), color in zip(LABELS.items(), COLORS):
        for threads, style in ((1, "-"), (2, "--")):
            points = []
            for agents in SIZES:
                report = REPORTS / f"{case}-{threads}-{agents}.json"
                if report.exists():
                    points.append((agents, json.loads(report.read_text())))
            if points:
                xs = [agents for agents, _ in points]
                ys = [report["ns_per_agent_tick"]["median"] for _, report in points]
                name = label if threads == 1 else None
                axes.plot(xs, ys, style, color=color, marker="o", markersize=3.5, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("agents")
    axes.set_ylabel("ns for each agent and tick (median)")
    axes.set_title("A tick of bevy_steer: one thread (solid) and two (dashed)")
    axes.grid(True, which="both", alpha=0.25)
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())
    axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    # Below the plot, where it covers no line.
    axes.legend(fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.12), ncol=2, frameon=False)
    figure.tight_layout()
    figure.savefig(PICTURE)
    print(PICTURE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["measure", "plot"])
    parser.add_argument("--binary", default=ROOT / "target" / "release" / "examples" / "stress")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    arguments = parser.parse_args()
    if arguments.what == "measure":
        if not pathlib.Path(arguments.binary).exists():
            subprocess.run(["cargo", "build", "--release", "--ignore-rust-version", "--example", "stress"], cwd=ROOT, check=True)
        measure(arguments.binary, arguments.rounds, arguments.threads, arguments.sizes)
    else:
        plot()


if __name__ == "__main__":
    main()
