"""Prints the alerts of `pitwatch watch`, and says when some were missed. Plain pyzmq."""
# ruff: noqa: T201 - printing is all it does

import sys

import zmq

alerts = zmq.Context().socket(zmq.SUB)
alerts.connect("tcp://127.0.0.1:5556" if len(sys.argv) < 2 else sys.argv[1])
alerts.subscribe("alert/" if len(sys.argv) < 3 else f"alert/{sys.argv[2]}/")
last: dict[str, int] = {}
while True:
    topic, message = alerts.recv_string(), alerts.recv_json()
    stream, seq, alert = message["stream"], message["seq"], message["alert"]
    if seq > (seen := last.get(stream, 0)) + 1:
        print(f'missed some: ask the ROUTER {{"stream": "{stream}", "from": {seen + 1}}}')
    last[stream] = seq
    print(topic, seq, alert["state"], alert["clause"], alert["verdict"], alert["explanation"], flush=True)
