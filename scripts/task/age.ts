const UNITS: [name: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** How long ago an ISO 8601 time was, in its largest unit. */
export const age = (time: string, now = Date.now()): string => {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  const unit = UNITS.find(([, length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : `${seconds} s`;
};
