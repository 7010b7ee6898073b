import type { Rule } from './tree';

type Ban = { readonly what: RegExp; readonly where: RegExp; readonly except?: RegExp; readonly instead: string };

const TYPESCRIPT = /\.ts$/;
const SOURCE = /^(?!test\/).*\.ts$/;
const CODE = /\.(ts|mjs|cjs)$/;
const ANYTHING = /./;
/** These files contain banned words, because they define or test the bans. */
const SPEAKS_OF_IT = /^test\/support\/tidy\/words\.ts$|^test\/(tidy-faults|lint)\.test\.ts$|^biome\.json$/;

/** The banned words, the files in which they are banned, and the text to write instead. */
const BANNED: readonly Ban[] = [
  { what: /\bas any\b|\bas unknown as\b|@ts-ignore|@ts-expect-error/, where: TYPESCRIPT, instead: 'parse it, or fix the type' },
  { what: /biome-ignore|eslint-disable/, where: CODE, instead: 'write it as the linter asks, or change biome.json for all' },
  { what: /\b(TODO|FIXME|XXX|HACK)\b/, where: ANYTHING, except: /^package-lock\.json$/, instead: 'do it now, or open an issue' },
  { what: /not[ -]?implemented/i, where: CODE, instead: 'an operation is complete or absent' },
  { what: /\bdebugger\b;/, where: CODE, instead: 'remove it' },
  {
    what: /console\.log\(/,
    where: /^(?!scripts\/|local\/|test\/).*\.(ts|mjs|cjs)$/,
    instead: 'the logger of platform/logger.ts',
  },
  { what: /process\.env\b/, where: SOURCE, except: /(^|\/)config\.ts$/, instead: 'read it in the config.ts of this process' },
  {
    what: /\bjwtVerify\((?![^;]{0,400}algorithms:)/,
    where: TYPESCRIPT,
    instead: 'name algorithms, issuer, audience and the claims that must be there: a public key as text is also an HMAC secret',
  },
  {
    what: /\bissues(: \[| = \[)|\{ issues(: \w+)? \}/,
    where: SOURCE,
    except: /^domain\/field-faults\.ts$|^local\/vendors\//,
    instead: 'fieldFault of domain/field-faults.ts: clients read one form and one text of field faults',
  },
  {
    what: /'(Confirmed|Failed|Rejected)', '(Confirmed|Failed|Rejected)', '(Confirmed|Failed|Rejected)'/,
    where: SOURCE,
    except: /^domain\/|^entities\/migrations\//,
    instead:
      'TRANSFER_ENDS and SIGNATURE_ENDS of domain/, or entities/ended-states.ts in SQL: the table of moves says what an end is',
  },
  {
    what: /const (MS_PER_[A-Z]+|(SECOND|MINUTE|HOUR|DAY)_MS) =/,
    where: SOURCE,
    except: /^domain\/durations\.ts$/,
    instead: 'domain/durations.ts has it',
  },
  {
    what: /\b([Ww]hoever|[Nn]obody|[Ss]omebody|in vain|meant besides)\b(?!')/,
    where:
      /^(?!test\/|deploy\/(prometheus|grafana)\/|entities\/migrations\/).*\.(ts|mjs|cjs)$|^README\.md$|^docs\/(by-hand|README)\.md$/,
    instead: 'name who it is, or "no one", "another party", "without success"',
  },
  { what: /Math\.random\(/, where: CODE, instead: 'node:crypto, or a seeded generator in a test' },
  { what: /\bDate\.now\(|new Date\(\)/, where: /^(domain|policy)\//, instead: 'take `now` as an argument' },
  { what: /\bgetRepository\b/, where: TYPESCRIPT, instead: 'db.withOrg: off its transaction a repository sees 0 rows' },
  {
    what: /new DataSource\(|createQueryRunner\(/,
    where: SOURCE,
    except: /^entities\/(database|migrate)\.ts$/,
    instead: 'the Database of entities/database.ts',
  },
  {
    what: /import \{[^}]*\b(Pool|Client)\b[^}]*\} from 'pg'/,
    where: SOURCE,
    except:
      /^entities\/(backup\/(all-rows|load|permit)|database|deployment\/(as-owner|(release|signer-switch)\.store)|hot-reads|migrate|tenants\/new-tenant|recoveries\/new-reissue-grant|planned-client|housekeeping\/(housekeeping|backlog)\.store|limits\/limit\.store|outbox\/relay\.store|outgoing\/open-payloads|scans\/watch-list)\.ts$|^platform\/wait-for-change\.ts$|^(drill|bench)\/|^red-team\/service\//,
    instead: 'the Database of entities/database.ts: only it sets the organisation (S15)',
  },
  {
    what: /set_config\(/,
    where: SOURCE,
    except:
      /^entities\/(backup\/permit|database|read-message|one-time-codes\/one-time-code\.store)\.ts$|^red-team\/service\/hands\.ts$/,
    instead: 'db.withOrg or db.read',
  },
  {
    what: /['"`]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH RECURSIVE|SAVEPOINT|ROLLBACK TO)\s|\b(tx|reader)\.(query|select)\b/,
    // The operator's commands read the whole database, over a connection that sees every organisation.
    where: /^(?!(entities|operator|local|drill|bench|red-team|test)\/).*\.ts$/,
    instead: 'a statement that is more than a lookup belongs in a store of entities/',
  },
  { what: /\bBYPASSRLS|row_security\s*=\s*off/, where: SOURCE, instead: 'no role of ours bypasses row-level security' },
  {
    what: /['"`](main|signer|chain-|default)['"`]\s*;?.*taskQueue|taskQueue:\s*['"`]/,
    where: SOURCE,
    except: /^domain\/routes\.ts$/,
    instead: 'routeOf of domain/routes.ts names queues (P4)',
  },
  {
    what: /timers\/promises|=>\s*setTimeout\(/,
    where: /^test\/.*\.test\.ts$/,
    instead: 'waitUntil of test/support/wait-until.ts: wait for the condition, not for the clock',
  },
  {
    what: /^\s*(\/\/|\/\*+|\*|#)\s*[-=*#~]{4,}/m,
    where: /\.(ts|mjs|cjs|sh)$/,
    instead: 'no banners: a file that needs chapters is two files',
  },
  {
    what: /["'`(\s](\/work\/|\/root\/|\/home\/\w|\/Users\/\w|[A-Z]:\\\\Users)/,
    where: ANYTHING,
    except: /^package-lock\.json$/,
    instead: 'a path of one machine means nothing on another',
  },
];

export const wordRules: readonly Rule[] = [
  {
    title: 'nothing banned is written anywhere, and each ban says what to write instead',
    check: (tree) =>
      [...tree].flatMap(([path, text]) =>
        BANNED.filter(({ where, except }) => where.test(path) && !except?.test(path) && !SPEAKS_OF_IT.test(path)).flatMap(
          ({ what, instead }) => {
            const found = what.exec(text);
            if (!found) return [];
            return [`${path}:${text.slice(0, found.index).split('\n').length}: ${found[0].trim()} → ${instead}`];
          },
        ),
      ),
  },
];
