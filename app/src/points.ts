/** Shares of the range of scores as points: hundredths. */
export const points = (share: number) => String(Math.round(100 * share));

export const signed = (share: number) => `${share > 0 ? "+" : "−"}${points(Math.abs(share))}`;
