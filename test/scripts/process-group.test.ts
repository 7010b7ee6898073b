import { endAll, inline, SCRIPTS, said, start } from './script';

afterAll(endAll);

const processGroup = (body: string) =>
  start(
    inline(`import { createProcessGroup } from '${SCRIPTS}/supervisor/process-group.mjs';
const output = { lineOf: (role) => (line) => console.log('stops', role, line) };
const child = (role) => {
  let end;
  const exited = new Promise((resolve) => (end = resolve));
  return { role, pid: 7, exited, stop: async () => 'stopped', kill: () => end('signal SIGKILL') };
};
${body}
setInterval(() => {}, 1000);`),
  );

test('if a part ends unexpectedly, the whole group ends', async () => {
  const script = processGroup(`const all = createProcessGroup(output);
all.death.catch((error) => console.log('death', error.message));
all.add(child('worker')).kill();`);
  await said(script, /death worker ended unexpectedly \(signal SIGKILL\)/);
});

test('a part that has left the group may end, and a new part can take its name', async () => {
  const script = processGroup(`const all = createProcessGroup(output);
all.death.catch((error) => console.log('death', error.message));
const first = all.add(child('worker'));
all.add(child('worker-2'));
all.leave('worker').kill();
await first.exited;
all.add(child('worker'));
await all.stopAll();
console.log('pid', all.pidOf('worker'));`);
  const words = await said(script, /([\s\S]*pid 7)/);
  expect(words.split('\n')).toEqual(['stops worker-2 stopped', 'stops worker stopped', 'pid 7']);
});

test('if the caller listens for ends, the end of a part does not end the other parts', async () => {
  const script = processGroup(`const all = createProcessGroup(output, (role, how) => console.log('told', role, how));
all.death.catch((error) => console.log('death', error.message));
all.add(child('signer')).kill();
setTimeout(() => console.log('others live'), 50);`);
  const told = said(script, /told signer signal SIGKILL/);
  await said(script, /others live/);
  await told;
});
