// Makes a process believe that it is an hour later.
const HOUR_MS = 3_600_000;
const now = Date.now.bind(Date);
Date.now = () => now() + HOUR_MS;
