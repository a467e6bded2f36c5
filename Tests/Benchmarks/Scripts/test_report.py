"""The verdicts of the table: `python3 -B -m unittest discover -s Tests/Benchmarks/Scripts`."""

import os
import unittest

import bench
import plan
import report
import server
import websocket

CPU_GOAL = plan.Goal("CPU", "h1-c1", plan.CPU, plan.SDK, plan.AHC, must=0.60, stretch=0.45)


def rounds(*values):
    return [{plan.CPU: value} for value in values]


def verdict(goal, **clients):
    names = {"sdk": plan.SDK, "ahc": plan.AHC, "raw": plan.RAW}
    return report._judge(goal, {names[name]: values for name, values in clients.items()})


class Verdicts(unittest.TestCase):
    def test_a_ratio_is_taken_inside_each_round_and_its_median_counts(self):
        # The machine was twice as slow in the last round: the ratio of the medians would be 0.30.
        found = verdict(CPU_GOAL, sdk=rounds(30, 30, 60), ahc=rounds(60, 100, 120))
        self.assertEqual((found.low, found.value, found.high), (0.3, 0.5, 0.5))

    def test_limits_belong_to_what_they_allow(self):
        for cpu, text in ((45, "**stretch met**"), (46, "met"), (60, "met"), (61, "**missed**")):
            with self.subTest(cpu=cpu):
                found = verdict(CPU_GOAL, sdk=rounds(cpu), ahc=rounds(100))
                self.assertEqual(found.text, text)
                self.assertEqual(found.missed, cpu > 60)

    def test_a_client_that_failed_or_lost_a_round_is_not_measured_and_counts_as_missed(self):
        for clients in ({"sdk": rounds(1)}, {"ahc": rounds(1)}, {"sdk": rounds(1), "ahc": rounds(2, 2)}):
            found = verdict(CPU_GOAL, **clients)
            self.assertEqual(found.text, "not measured")
            self.assertTrue(found.missed)

    def test_a_goal_without_limit_is_information(self):
        goal = plan.Goal("hash", "signing-200", plan.CPU, plan.SDK, plan.AHC, must=None)
        found = verdict(goal, sdk=rounds(9), ahc=rounds(1))
        self.assertEqual((found.text, found.missed), ("for information", False))

    def test_an_absolute_goal_needs_no_other_client(self):
        goal = plan.Goal("signature, ns", "signing-200", plan.CPU, plan.SDK, None, must=1_500, stretch=700)
        self.assertEqual(verdict(goal, sdk=rounds(800, 900, 650)).text, "met")


class Tables(unittest.TestCase):
    def test_a_small_ratio_keeps_digits(self):
        row = report.goals_table([verdict(CPU_GOAL, sdk=rounds(1, 30, 600), ahc=rounds(400, 1000, 1000))])
        self.assertIn("| 0.0300 | 0.0025 – 0.60 | ≤ 0.60 | ≤ 0.45 |", row)

    def test_messages_over_websockets_have_a_table_of_times(self):
        measured = {f"websocket-{window}": {websocket.RAW: [{"nanoseconds": 22_000.4, "length": websocket.BYTES}]}
                    for window in websocket.WINDOWS}
        text = report.document({}, [], measured, [], quick=False, busy=False)
        self.assertIn("**WebSockets**", text)
        for window in websocket.WINDOWS:
            self.assertIn(f"| {websocket.RAW} | websocket-{window} | 100 | 22,000 | 22,000 – 22,000 |", text)

    def test_idle_connections_are_no_rows_of_times(self):
        measured = {"websocket-idle": {websocket.HELIUM: [{"bytes": 40_000, "microseconds": 3, "peakResidentKibibytes": 1}]}}
        text = report.document({}, [], measured, report.judge(measured), quick=False, busy=False)
        self.assertIn("memory of one, HeliumWebSocket, bytes | 40,000 | 40,000 – 40,000 | – | – | for information |", text)
        self.assertNotIn("| websocket-idle |", text)

    def test_a_number_that_is_no_ratio_is_whole(self):
        goal = plan.Goal("signature, ns", "signing-200", plan.CPU, plan.SDK, None, must=1_500, stretch=700)
        self.assertIn("| 1,000 | 1,000 – 1,000 | ≤ 1,500 | ≤ 700 |", report.goals_table([verdict(goal, sdk=rounds(1000))]))


class Plan(unittest.TestCase):
    def test_every_goal_names_runs_of_its_group(self):
        groups = {group.name: {run.label for run in group.runs} for group in plan.groups(quick=False)}
        groups |= {f"websocket-{window}": {websocket.HELIUM, websocket.PYTHON, websocket.RAW} for window in websocket.WINDOWS}
        groups |= {f"websocket-tls-{window}": {websocket.HELIUM, websocket.RAW_TLS} for window in websocket.WINDOWS}
        groups |= {name: {*websocket.IDLE_CLIENTS, *websocket.DIFFERENCES} for name in ("websocket-idle", "websocket-idle-tls")}
        for goal in plan.goals():
            if goal.group.split("-")[0] in plan.OPERATIONS:
                continue
            with self.subTest(goal=goal.title):
                self.assertIn(goal.measured, groups[goal.group])
                if goal.against is not None:
                    self.assertIn(goal.against, groups[goal.group])

    def test_the_clients_over_http_are_targets_of_the_package(self):
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        with open(os.path.join(package, "Package.swift"), encoding="utf-8") as file:
            manifest = file.read()
        for client, name in plan.EXECUTABLES.items():
            with self.subTest(client=client):
                self.assertTrue(os.listdir(os.path.join(package, "Sources", name)))
                if client != plan.GO:
                    self.assertIn(f'name: "{name}"', manifest)

    def test_a_request_is_held_against_go_and_against_the_engine_in_c(self):
        limits = {}
        for goal in plan.goals():
            if goal.metric == plan.CPU:
                limits.setdefault((goal.measured, goal.against), {})[goal.group] = (goal.must, goal.stretch)
        groups = ("h1-c1", "h1-c16", "h1-c64", "h2-c16")
        for measured, against, expected in (
            (plan.SDK_LOOP, plan.GO, [(0.5, None), (0.55, None), (0.5, None), (0.65, None)]),
            (plan.SDK, plan.GO, [(0.8, None), (0.8, None), (0.7, None), (0.85, None)]),
            (plan.SDK_LOOP, plan.ENGINE, [(1.7, 1.4)] * 4),
        ):
            with self.subTest(measured=measured, against=against):
                self.assertEqual(limits[measured, against], dict(zip(groups, expected)))

    def test_a_large_body_may_cost_what_libcurl_in_c_takes(self):
        goals = [goal for goal in plan.goals() if goal.group.startswith("bulk-") and goal.against == plan.RAW]
        names = {f"bulk-{transfer}-{size}" for transfer in ("download", "upload") for size in (1, 100)}
        self.assertEqual({(goal.group, goal.measured) for goal in goals},
                         {(name, client) for name in names for client in (plan.SDK, plan.SDK_LOOP)})
        self.assertEqual({(goal.metric, goal.must) for goal in goals}, {(plan.CPU, 1.0)})

    def test_large_bodies_are_documents_of_the_server_and_more_than_one_is_sent(self):
        for quick in (False, True):
            for group in plan.groups(quick):
                for run in group.runs if group.transfer else []:
                    with self.subTest(group=group.name, quick=quick, run=run.label):
                        arguments = bench.bulk_arguments(group, run, "/folder")
                        options = dict(zip(arguments[::2], arguments[1::2]))
                        self.assertEqual(options["--requests"], str(run.requests))
                        self.assertEqual(options["--file"], f"/folder/www/{server.bulk_name(group.body_bytes)}")
                        self.assertIn(group.body_bytes, server.BULK_SIZES)
                        if not quick and group.name.endswith(("-1", "-100")):
                            self.assertGreaterEqual(group.body_bytes * run.requests, 1_000 << 20)

    def test_peak_memory_is_held_against_libcurl_in_c(self):
        goals = {goal.measured: goal.must for goal in plan.goals() if goal.metric == "peakResidentKibibytes" and goal.against == plan.RAW}
        self.assertEqual(goals, {plan.SDK: 1.4, plan.SDK_STATIC: 1.4})

    def test_only_takes_several_texts(self):
        for only, names in (("", {"h1-c1", "bulk-upload-1", "json"}), ("h1", {"h1-c1"}), ("h1,bulk", {"h1-c1", "bulk-upload-1"})):
            with self.subTest(only=only):
                self.assertEqual({name for name in ("h1-c1", "bulk-upload-1", "json") if bench.is_chosen(name, only)}, names)

    def test_a_websocket_message_is_held_against_python_and_c_at_each_window(self):
        goals = [goal for goal in plan.websocket_goals() if goal.metric == "nanoseconds"]
        must = {(goal.group, goal.against): goal.must for goal in goals}
        self.assertEqual(must, {("websocket-1", websocket.PYTHON): 0.3, ("websocket-32", websocket.PYTHON): 0.5,
                                ("websocket-1", websocket.RAW): 1.5, ("websocket-32", websocket.RAW): 1.5,
                                ("websocket-tls-1", websocket.RAW_TLS): 1.4, ("websocket-tls-32", websocket.RAW_TLS): 1.4})
        self.assertEqual({goal.measured for goal in goals}, {websocket.HELIUM})

    def test_an_idle_websocket_may_take_eight_kibibytes_besides_libcurls_connection_in_the_same_round(self):
        for group in ("websocket-idle", "websocket-idle-tls"):
            goal, = (goal for goal in plan.goals() if goal.group == group and goal.must is not None)
            for ours, text in ((38_192, "met"), (38_193, "**missed**")):
                with self.subTest(group=group, ours=ours):
                    # The second round has twice the memory for both.
                    measured = websocket.with_differences({
                        websocket.HELIUM: [{"bytes": ours}, {"bytes": ours + 30_000}, {"bytes": ours}],
                        websocket.LIBCURL: [{"bytes": 30_000}, {"bytes": 60_000}, {"bytes": 30_000}],
                        websocket.LIBCURL_ALONE: [{"bytes": 36_000}, {"bytes": 66_000}, {"bytes": 36_000}],
                    })
                    found = report._judge(goal, measured)
                    self.assertEqual((found.text, found.low, found.high), (text, ours - 30_000, ours - 30_000))
                    self.assertEqual(measured[websocket.OURS_ALONE][1], {"bytes": ours - 36_000})

    def test_the_clients_of_websockets_are_targets_of_the_package(self):
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        with open(os.path.join(package, "Package.swift"), encoding="utf-8") as file:
            manifest = file.read()
        for name in {*websocket.EXECUTABLES.values(), *(program for program, *_ in websocket.IDLE_CLIENTS.values())}:
            with self.subTest(name=name):
                self.assertIn(f'name: "{name}"', manifest)
                self.assertTrue(os.listdir(os.path.join(package, "Sources", name)))

    def test_a_run_of_its_own_belongs_to_a_kind(self):
        self.assertLessEqual(set(plan.OPERATION_RUNS), set(plan.OPERATIONS))

    def test_an_object_of_ten_times_as_many_costs_about_the_same(self):
        goals = [goal for goal in plan.goals() if goal.group == "jetstream-growth"]
        self.assertEqual(len(goals), 8)
        for goal in goals:
            (operation, larger), (other, smaller) = (name.split(", an object of ") for name in (goal.measured, goal.against))
            self.assertEqual(operation, other)
            self.assertEqual(int(larger), 10 * int(smaller))
            # The time for an object is constant, grows like the logarithm, and grows like the number of objects.
            for nanoseconds, text in ((100, "met"), (133, "met"), (1_000, "**missed**")):
                with self.subTest(goal=goal.title, nanoseconds=nanoseconds):
                    found = report._judge(goal, {goal.measured: [{"nanoseconds": nanoseconds}],
                                                 goal.against: [{"nanoseconds": 100}]})
                    self.assertEqual(found.text, text)

    def test_the_operations_of_jetstreams_trees_are_measured(self):
        folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Sources", "JetstreamTrees")
        sources = ""
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                sources += file.read()
        for goal in plan.jetstream_goals():
            if goal.group == "jetstream-serving":
                continue
            for name in (goal.measured, goal.against):
                if name is not None:
                    self.assertIn(f'"{name.split(", an object of ")[0]}"', sources)

    def test_polling_is_measured_in_a_run_of_its_own_as_a_share_of_a_core(self):
        self.assertIn("polling", plan.OPERATION_RUNS["conair"])
        goal, = (goal for goal in plan.goals() if goal.group == "conair-polling")
        for share, text in ((4.9, "met"), (5.1, "**missed**")):
            with self.subTest(share=share):
                found = report._judge(goal, {"1,000 series": [{"percent": share, "length": 0}]})
                self.assertEqual(found.text, text)


if __name__ == "__main__":
    unittest.main()
