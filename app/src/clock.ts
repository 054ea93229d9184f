/** How long somebody has been thinking. */
import { useEffect, useRef, useState } from "react";

/** The milliseconds in which `running` was true. */
export function useClock(running: boolean): number {
  const [total, setTotal] = useState(0);
  const since = useRef(0);
  useEffect(() => {
    if (!running) return;
    since.current = performance.now();
    const add = () => {
      const now = performance.now();
      const passed = now - since.current;
      since.current = now;
      setTotal((before) => before + passed);
    };
    const timer = setInterval(add, 500);
    return () => {
      clearInterval(timer);
      add();
    };
  }, [running]);
  return total;
}

/** A time as minutes and seconds. */
export function minutes(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
