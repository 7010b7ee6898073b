import { firstRunConfig } from '../../local/config';

const ENV = {
  DATABASE_URL: 'postgres://app:secret@127.0.0.1:5432/strongroom',
  OWNER_DATABASE_URL: 'postgres://owner:secret@127.0.0.1:5432/strongroom',
  TOKEN_KEY: 'a key',
  FIRST_RUN_FILE: 'first-run.json',
  BASE_URL: 'http://127.0.0.1:3000',
  DOCS_URL: 'http://127.0.0.1:3000/docs',
  CHAINS_JSON: '{}',
  NODE_ENV: 'development',
};

test('a trial without the address of a Temporal UI still gets its users', () => {
  expect(firstRunConfig({ ...ENV, TEMPORAL_UI_URL: '' }).TEMPORAL_UI_URL).toBe('');
});

test('no file with private keys is written in production', () => {
  expect(() => firstRunConfig({ ...ENV, NODE_ENV: 'production' })).toThrow('never written in production');
});
