import { AUDITED_COMMANDS } from '../../domain/audit';
import { CHARTER_COMMANDS } from '../../operator/charter-commands';
import { COMMANDS } from '../../operator/commands';
import { KEY_STORE_COMMANDS } from '../../operator/key-store-commands';
import { KEEPING_COMMANDS } from '../../operator/offline-commands';

type Name =
  | keyof typeof COMMANDS
  | keyof typeof CHARTER_COMMANDS
  | keyof typeof KEY_STORE_COMMANDS
  | keyof typeof KEEPING_COMMANDS;
const READS = 'only reads';
const JOURNAL = 'the journal of the signer records it, and a charter that comes into force has an entry';
const JOURNAL_OF_STORES = 'the journal of the signer records it, and each changed store has an event';
const ELSEWHERE = 'runs on a machine without the database';

/** Why a command of the operator has no entry in the audit log. */
const NOT_ENTERED: Partial<Record<Name, string>> = {
  'authority:adopt': JOURNAL,
  'authority:restrict': JOURNAL,
  'authority:alone': JOURNAL,
  'authority:key': ELSEWHERE,
  'authority:sign': ELSEWHERE,
  'authority:draft': READS,
  'authority:status': READS,
  'authority:verify': READS,
  'key-store add': JOURNAL_OF_STORES,
  'key-store name': JOURNAL_OF_STORES,
  'key-store reviewers': JOURNAL_OF_STORES,
  'key-store primary': JOURNAL_OF_STORES,
  'key-store drain': JOURNAL_OF_STORES,
  'key-store remove': JOURNAL_OF_STORES,
  'key-store place': JOURNAL_OF_STORES,
  'key-store sign': ELSEWHERE,
  'key-store list': READS,
  'keys:escrow': ELSEWHERE,
};

test('each command of the operator is entered in the audit log, or has a stated reason why not', () => {
  const entered = AUDITED_COMMANDS.map((command) => command.split(' ')[0]);
  const all = [
    ...Object.keys(COMMANDS),
    ...Object.keys(CHARTER_COMMANDS),
    ...Object.keys(KEY_STORE_COMMANDS),
    ...Object.keys(KEEPING_COMMANDS),
  ];
  expect([...entered, ...Object.keys(NOT_ENTERED)].sort()).toEqual(all.sort());
});
