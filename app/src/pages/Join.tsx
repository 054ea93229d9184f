/** Where a link of another person leads: taking the seat that they kept. */
import { useState } from "react";
import { join, Refused } from "../api";
import { go } from "../router";
import { after, keep } from "../saved";

const NAME = "plyglass.name";

export function Join({ invitation }: { invitation: string }) {
  const [problem, setProblem] = useState("");
  const submit = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    localStorage.setItem(NAME, name);
    try {
      const placed = await join(invitation, name);
      const seats = placed.position.players.map(({ kind }) => kind);
      keep(after(placed, { seats, log: placed.position.events }));
      go({ page: "play", match: placed.position.match });
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : "The server does not answer. Try again.");
    }
  };
  return (
    <main className="page narrow">
      <h1>Somebody invites you to a match</h1>
      <form onSubmit={submit} className="row">
        <label>
          Your name <input name="name" maxLength={40} defaultValue={localStorage.getItem(NAME) ?? ""} />
        </label>
        <button type="submit" className="primary">
          Take the seat
        </button>
      </form>
      {problem ? (
        <p className="problem" role="alert">
          {problem}
        </p>
      ) : null}
    </main>
  );
}
