import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A rotation reads, over all organisations, which key-encryption key wraps each data key and which data key seals each key. A
 * destroyed data key keeps its row as a record and can never seal a key again. The lock in the trigger makes the destruction of a
 * data key and the storing of a key wait for each other.
 */
export class Rotations20261122020300 implements MigrationInterface {
  readonly name = 'Rotations20261122020300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE data_keys ADD COLUMN date_destroyed timestamptz(3),
        ADD CONSTRAINT data_keys_destroyed CHECK (state <> 'Destroyed' OR wrapped = '');
      CREATE INDEX data_keys_in_use ON data_keys (org_id, id) INCLUDE (kek_id) WHERE state <> 'Destroyed';
      CREATE INDEX keys_by_data_key ON keys (org_id, data_key_id, id);

      CREATE FUNCTION guard_data_key() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE its_state text;
      BEGIN
        SELECT state INTO its_state FROM data_keys WHERE org_id = NEW.org_id AND id = NEW.data_key_id FOR KEY SHARE;
        IF its_state = 'Destroyed' THEN
          RAISE EXCEPTION 'the data key % is destroyed', NEW.data_key_id USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER keys_guard_data_key BEFORE INSERT OR UPDATE OF data_key_id ON keys
        FOR EACH ROW WHEN (NEW.data_key_id IS NOT NULL) EXECUTE FUNCTION guard_data_key();

      CREATE POLICY of_relay ON data_keys FOR SELECT TO strongroom_relay USING (true);
      GRANT SELECT (org_id, id, kek_id, state, date_created) ON data_keys TO strongroom_relay;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
