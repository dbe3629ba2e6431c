"""Prints the alerts of `pitwatch watch`, and says when some were missed or the watch is down. Plain pyzmq.

subscriber.py [ADDRESS [TABLE [SECONDS]]]: of one table only; after so many seconds without a heartbeat it is down.
"""
# ruff: noqa: T201 - printing is all it does

import json
import sys

import zmq

address, table, seconds = [*sys.argv[1:], *["tcp://127.0.0.1:5556", "", "5"][len(sys.argv) - 1 :]]
alerts = zmq.Context().socket(zmq.SUB)
alerts.rcvtimeo = round(1000 * float(seconds))
alerts.connect(address)
alerts.subscribe(f"alert/{table}/" if table else "alert/")
alerts.subscribe("heartbeat/")
last: dict[str, int] = {}
while True:
    try:
        topic, body = alerts.recv_multipart()
    except zmq.Again:
        print(f"the watch is down: no heartbeat for {seconds} s", flush=True)
        continue
    if topic == b"heartbeat/":
        continue
    message = json.loads(body)
    stream, seq, alert = message["stream"], message["seq"], message["alert"]
    if seq > (seen := last.get(stream, 0)) + 1:
        print(f'missed some: ask the ROUTER {{"stream": "{stream}", "from": {seen + 1}}}', flush=True)
    last[stream] = seq
    print(topic.decode(), seq, alert["state"], alert["clause"], alert["verdict"], alert["explanation"], flush=True)
