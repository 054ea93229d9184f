// Random matches by the rules of the client in JavaScript, written as the client's log is.
import { Duel } from "../../examples/clients/javascript/duel.mjs";

let word = 88172645;
function below(n) {
  word ^= word << 13;
  word ^= word >>> 17;
  word ^= word << 5;
  return (word >>> 0) % n;
}

for (let match = 0; match < Number(process.argv[2]); match++) {
  const duel = new Duel(below);
  const tell = (player, action, legal) => {
    const line = { player, action, legal, cards: duel.drawn.splice(0), views: [0, 1].map((seat) => duel.view(seat)) };
    console.log(JSON.stringify(line));
  };
  tell(-1, -1, []);
  while (duel.toMove >= 0) {
    const player = duel.toMove, legal = duel.legal(), action = legal[below(legal.length)];
    duel.apply(action);
    tell(player, action, legal);
  }
  console.log(JSON.stringify({ scores: duel.scores }));
}
