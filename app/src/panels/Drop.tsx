/** Files of records that are dropped on the page, or chosen: they are read as data, and opened for review. */
import { useEffect, useState } from "react";
import { open, read } from "../records";
import { go } from "../router";

async function opened(file: File): Promise<string> {
  try {
    go({ page: "record", record: open(await read(file)) });
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "The file cannot be read.";
  }
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Takes files that are dropped anywhere. */
export function Drop() {
  const [over, setOver] = useState(false);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault(); // or the browser leaves the page to show the file
      setOver(true);
    };
    const onDragLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) void opened(file).then(setProblem);
    };
    addEventListener("dragover", onDragOver);
    addEventListener("dragleave", onDragLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onDragOver);
      removeEventListener("dragleave", onDragLeave);
      removeEventListener("drop", onDrop);
    };
  }, []);
  return (
    <>
      {over ? <div className="drop-here">Drop a record to review it</div> : null}
      {problem ? (
        <div className="problem dropped" role="alert">
          <span>{problem}</span>
          <button type="button" onClick={() => setProblem("")}>
            Close
          </button>
        </div>
      ) : null}
    </>
  );
}

/** Opens a file that is chosen: for a phone, a keyboard and a screen reader. */
export function OpenRecord() {
  const [problem, setProblem] = useState("");
  const choose = (event: React.ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    if (file) void opened(file).then(setProblem);
    event.target.value = ""; // so the same file can be chosen again
  };
  return (
    <div className="open-record">
      <label className="button">
        Open a record
        <input type="file" accept=".json,application/json" className="visually-hidden" onChange={choose} />
      </label>
      <span className="summary">or drop its file anywhere on the page: it is replayed and reviewed.</span>
      {problem ? (
        <p className="problem" role="alert">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
