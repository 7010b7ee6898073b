import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NETWORK_NAMES } from '../../domain/networks';
import { networksDocument } from './networks-document';
import { VERIFICATION } from './verification';

const ROOT = join(__dirname, '..', '..');

test('docs/networks.md is the document generated from the records', () => {
  const document = networksDocument();
  // The file is copied by hand, so that a person reads the changes.
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(join(ROOT, '.cache', 'networks.md'), document);
  expect(document).toBe(readFileSync(join(ROOT, 'docs', 'networks.md'), 'utf8'));
});

test('every served network has a proof, and the test of the proof exists and contains the name of the network', () => {
  const unproved = NETWORK_NAMES.filter((name) => {
    const proof = VERIFICATION[name];
    return !proof || !readFileSync(join(ROOT, proof.by), 'utf8').includes(proof.names ?? name);
  });
  expect(unproved).toEqual([]);
});
