import type { DatabaseRole } from './installation';

type Refused = { readonly title: string; readonly sql: string; readonly of: readonly DatabaseRole[] };

const both = ['app', 'worker'] as const;
const DENIED = (of: Refused['of'], lines: Readonly<Record<string, string>>): readonly Refused[] =>
  Object.entries(lines).map(([title, sql]) => ({ title, sql, of }));

/** The statements that Postgres itself refuses to a role of the service, whichever organisation the role specifies. */
export const REFUSED: readonly Refused[] = [
  ...DENIED(both, {
    'the public key of a credential': `UPDATE credentials SET public_key = 'x'`,
    'the owner of a credential': `UPDATE credentials SET user_id = 'x'`,
    'the date of a credential': `UPDATE credentials SET date_created = 'epoch'`,
    'the request that a user action authorises': `UPDATE user_actions SET body_sha256 = 'x', path = '/'`,
    'the anchor of a user action': `UPDATE user_actions SET anchor = 'x'`,
    'a used user action, to be used again': `UPDATE user_actions SET date_consumed = NULL WHERE date_consumed IS NOT NULL`,
    'the signature of a user action': `UPDATE user_actions SET signature = 'x' WHERE signature IS NOT NULL`,
    'the text that was signed': `UPDATE user_actions SET sealed_body = NULL`,
    'the mark of actions whose text was not kept': 'UPDATE user_actions SET is_earlier = true',
    'a vote': `UPDATE approval_votes SET value = 'Approved'`,
    'who may vote': 'UPDATE approval_approvers SET may_approve = true',
    'the rule of a policy': `UPDATE policy_versions SET rule = '{}', status = 'Archived'`,
    'a verdict': `UPDATE verdicts SET outcome = 'Cleared'`,
    'an event': `UPDATE events SET data = '{}'`,
    'an entry of the feed': 'UPDATE feed_entries SET digest = hash',
    'an entry of the audit log': `UPDATE audit_entries SET data = '{}'`,
    'a place in the audit log': 'UPDATE audit_places SET digest = hash',
    'the address of a wallet': `UPDATE wallets SET address = '0x1' WHERE address IS NOT NULL`,
    'the key of a wallet': `UPDATE wallets SET key_id = 'x'`,
    'the target of a freeze': `UPDATE freezes SET target_id = 'x'`,
    'the content of a change request': `UPDATE change_requests SET change = '{}'`,
    'the record of what the signer has switched on': `UPDATE signer_switches SET switched_on = '{Export}'`,
    'the standing of the deployment': 'UPDATE deployment SET date_frozen = NULL',
    'the list of migrations': `INSERT INTO migrations (timestamp, name) VALUES (1, 'x')`,
    'a tenant': `INSERT INTO tenants (id, name) VALUES ('x', 'x')`,
  }),
  ...DENIED(
    both,
    Object.fromEntries(
      ['policy_versions', 'policies', 'verdicts', 'events', 'credentials', 'users', 'user_actions', 'approval_votes', 'approvals']
        .concat([
          'transfers',
          'signatures',
          'payloads',
          'keys',
          'data_keys',
          'wallets',
          'organizations',
          'freezes',
          'change_requests',
          'feed_entries',
          'feed_checkpoints',
          'audit_entries',
          'audit_places',
          'audit_checkpoints',
        ])
        .map((table) => [`to remove a row of ${table}`, `DELETE FROM ${table}`]),
    ),
  ),
  ...DENIED(both, {
    'a table': 'CREATE TABLE mine (x int)',
    'a function': `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    'a disabled trigger': 'ALTER TABLE user_actions DISABLE TRIGGER ALL',
    'row-level security': 'ALTER TABLE transfers DISABLE ROW LEVEL SECURITY',
    'triggers off for the session': `SET session_replication_role = 'replica'`,
    'another role': 'SET ROLE strongroom_owner',
    'a right': 'GRANT strongroom_owner TO strongroom_app',
    'a program of the host': `COPY (SELECT 1) TO PROGRAM 'true'`,
    'a file of the host': `SELECT pg_read_file('/etc/hostname')`,
    'the passwords of the roles': 'SELECT rolpassword FROM pg_authid',
  }),
  ...DENIED(['app'], {
    'signed bytes': `INSERT INTO payloads (org_id) VALUES ('x')`,
    'other bytes': `UPDATE payloads SET org_id = 'x'`,
    'a claim': `INSERT INTO claims (org_id) VALUES ('x')`,
    'a data key': `INSERT INTO data_keys (org_id) VALUES ('x')`,
    'a sealed key': `UPDATE keys SET sealed = 'x'`,
    'the public key of a key': `UPDATE keys SET public_key = '02'`,
    'the anchor of the signer': `UPDATE signer_anchors SET anchor = 'x'`,
    'the head of a feed': `UPDATE feed_heads SET sequence = 0`,
    'a checkpoint of a feed': `INSERT INTO feed_checkpoints (org_id) VALUES ('x')`,
    'the head of an audit log': `UPDATE audit_heads SET sequence = 0`,
    'a checkpoint of an audit log': `INSERT INTO audit_checkpoints (org_id) VALUES ('x')`,
    'an entry of an audit log without its place': 'DELETE FROM audit_pending',
    'the answer of a vendor': `INSERT INTO screenings (org_id) VALUES ('x')`,
  }),
  ...DENIED(['worker'], {
    'a vote of its own': `INSERT INTO approval_votes (org_id) VALUES ('x')`,
    'a user action': `INSERT INTO user_actions (org_id) VALUES ('x')`,
    'a signature under a user action': `UPDATE user_actions SET date_signed = now()`,
    'a session': `INSERT INTO access_tokens (org_id) VALUES ('x')`,
    'a code': `INSERT INTO one_time_codes (org_id) VALUES ('x')`,
    'a user': `INSERT INTO users (org_id) VALUES ('x')`,
    'an organisation': `INSERT INTO organizations (id) VALUES ('x')`,
    'a request for a signature': `INSERT INTO signatures (org_id) VALUES ('x')`,
    'a request for an export': `INSERT INTO key_requests (org_id) VALUES ('x')`,
    'a request for a change': `INSERT INTO change_requests (org_id) VALUES ('x')`,
    'the public key of a key that has one': `UPDATE keys SET public_key = '02' WHERE public_key IS NOT NULL`,
  }),
];
