"""A text over an authenticated link: one sender, two receivers, a bad message refused; then the whole telephone."""

from carpal.labs.sign import LinkReceiver, LinkSender, LoggingPlayer, TelephoneDemo
from carpal.labs.sign.link.seal import Sealer
from carpal.labs.sign.link.transport import InProcess

TOKEN = "both ends know this, nobody else"

with InProcess() as line, LinkSender(line, TOKEN, name="anna").start() as sender:
    players = {name: LoggingPlayer() for name in ("bruno", "carla")}
    receivers = [LinkReceiver(line, TOKEN, player, name=name).start() for name, player in players.items()]
    assert sender.wait_for(2, timeout=10.0)

    forged = Sealer("a guess at the token", "sign", "anna")
    line.publish("letters", forged.seal("letter", call="0" * 16, index=0, letter="X", alphabet="italian", born=0))

    result = sender.send("BUONGIORNO")
    print(result)
    for receiver in receivers:
        outcome = receiver.wait(10.0)
        print(f"{receiver.name}: {outcome} {outcome.latency}; {receiver.refusals}")
        receiver.close()

assert result and all("".join(player.letters) == "BUONGIORNO" for player in players.values())
assert all(receiver.refusals.counts == {"unauthenticated": 1} for receiver in receivers)

# a simulated person is read, sent, shown by a robot's hand, and read again from it
demo = TelephoneDemo(("parloma",)).run("CIAO")
print(demo)
assert demo.ok and demo.to_dict()["recognised"]["parloma"] == list("CIAO")
