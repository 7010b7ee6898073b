import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const INSTRUCTION = /^([A-Z]+)\s+(.*)$/;

/**
 * Returns the entry point, the command and the variables of each target of the Dockerfile. A target inherits values from the
 * target that its `FROM` names.
 */
export function readImages(root) {
  const stages = {};
  let stage;
  for (const line of readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n')) {
    const [, keyword, argument] = INSTRUCTION.exec(line) ?? [];
    if (keyword === 'FROM') {
      const [from, , name] = argument.split(' ');
      const below = stages[from] ?? { env: {}, entrypoint: [], command: [] };
      stage = { ...below, env: { ...below.env }, gathers: [] };
      stages[name] = stage;
    } else if (keyword === 'ENV') {
      const [name, value] = argument.split('=');
      stage.env[name] = value;
    } else if (keyword === 'ENTRYPOINT') stage.entrypoint = JSON.parse(argument);
    else if (keyword === 'CMD') stage.command = JSON.parse(argument);
    else if (keyword === 'RUN' && argument.includes('gather.mjs')) stage.gathers.push(JSON.parse(argument));
  }
  return stages;
}

/** Runs the lines of the build stage that gather the files for the images, but writes to `folder` instead of /images. */
export function fillImages(root, images, folder) {
  return images.build.gathers
    .map(([, program, target, ...entries]) => [program, target.replace('/images', folder), ...entries])
    .map((args) => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).trim());
}
