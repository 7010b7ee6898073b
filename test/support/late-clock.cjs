// Sets the clock of a process one hour ahead.
const HOUR_MS = 3_600_000;
const now = Date.now.bind(Date);
Date.now = () => now() + HOUR_MS;
