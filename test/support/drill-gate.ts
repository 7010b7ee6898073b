import { startGateServer, type Verdict } from '../../drill/gate-server';

/** Opens a gate that records each reported point and lets the process continue, except at the failing points. */
export async function openGate(failing: readonly string[] = []) {
  const server = await startGateServer();
  const reports: { readonly point: string; readonly ids: readonly string[] }[] = [];
  const held = new Map<string, () => void>();
  const holding = new Set<string>();
  server.judgeWith(async ({ point, ids }): Promise<Verdict> => {
    reports.push({ point, ids });
    if (holding.has(point)) await new Promise<void>((resolve) => held.set(point, resolve));
    return failing.includes(point) ? 'fail' : 'go';
  });
  return {
    socketPath: server.socketPath,
    reports,
    points: () => reports.map(({ point }) => point),
    /** Makes every process that reaches this point wait until `release`. */
    hold: (point: string) => holding.add(point),
    isHeld: (point: string) => held.has(point),
    release: (point: string) => held.get(point)?.(),
    close: server.close,
  };
}
