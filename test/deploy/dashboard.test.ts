import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ERRORS } from '../../domain/errors';
import { LABELS, METRICS, type MetricSpec } from '../../domain/metrics';
import { RefusalReason } from '../../signer/wire/refusal-reasons';
import { faultsOf, SDK_METRICS } from '../support/known-metrics';

const DEPLOY = join(__dirname, '..', '..', 'deploy');
const read = (...path: string[]) => readFileSync(join(DEPLOY, ...path), 'utf8');

const GridPos = z.strictObject({ h: z.int().min(1), w: z.int().min(1).max(24), x: z.int().min(0), y: z.int().min(0) });
const Row = z.looseObject({ gridPos: GridPos, id: z.int(), type: z.literal('row'), title: z.string() });
const shown = {
  id: z.int(),
  gridPos: GridPos,
  title: z.string().min(1),
  datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.string().regex(/^\$\{datasource\}$/) }),
  targets: z.array(z.looseObject({ refId: z.string(), expr: z.string().min(1), legendFormat: z.string().min(1) })).min(1),
};
const Panel = z.looseObject({ ...shown, type: z.literal('timeseries') });
/**
 * A panel with one figure and its colour. A stat without a value shows a text, because an empty field would look as if all were
 * well.
 */
const Stat = z.looseObject({
  ...shown,
  type: z.literal('stat'),
  description: z.string().min(1),
  targets: shown.targets.max(1),
  options: z.looseObject({
    colorMode: z.literal('background'),
    reduceOptions: z.looseObject({ calcs: z.tuple([z.literal('lastNotNull')]) }),
  }),
  fieldConfig: z.looseObject({
    defaults: z.looseObject({
      unit: z.enum(['none', 's', 'percentunit']),
      noValue: z.string().min(1),
      thresholds: z.strictObject({
        mode: z.literal('absolute'),
        steps: z
          .tuple(
            [z.strictObject({ color: z.string(), value: z.null() })],
            z.strictObject({ color: z.enum(['green', 'yellow', 'red']), value: z.number() }),
          )
          .refine((steps) => steps.length > 1 && steps.some(({ color }) => color === 'green')),
      }),
    }),
  }),
});
const dashboard = z
  .looseObject({ uid: z.literal('strongroom'), panels: z.array(z.discriminatedUnion('type', [Row, Panel, Stat])) })
  .parse(JSON.parse(read('grafana', 'strongroom.json')));
const panels = dashboard.panels.filter((panel) => panel.type !== 'row');

const { groups } = z
  .strictObject({
    groups: z.array(
      z.strictObject({
        name: z.string(),
        rules: z.array(
          z.strictObject({
            alert: z.string().regex(/^Strongroom[A-Z]/),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.strictObject({ runbook_url: z.string(), summary: z.string(), description: z.string().optional() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read('prometheus', 'alerts.yml')));
const rules = groups.flatMap((group) => group.rules);
const expressions = [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...rules.map(({ expr }) => expr)];

test.each(panels.map((panel) => [panel.title, panel] as const))(
  'the panel "%s" contains only metrics and labels that exist',
  (_, panel) => {
    expect(panel.targets.flatMap(({ expr }) => faultsOf(expr))).toEqual([]);
  },
);

test.each(rules.map((rule) => [rule.alert, rule] as const))(
  'the alert %s contains only metrics and labels that exist',
  (_, { expr }) => {
    expect(faultsOf(expr)).toEqual([]);
  },
);

test.each([
  ['sum(rate(strongroom_http_requests_total[5m]))', 'strongroom_http_requests_total exists nowhere'],
  ['temporal_workflows_total', 'temporal_workflows_total exists nowhere'],
  ['rate(strongroom_http_request_duration_seconds[5m])', 'strongroom_http_request_duration_seconds is a histogram'],
  ['strongroom_signer_up_count', 'strongroom_signer_up_count is a gauge'],
  ['sum by (wallet) (strongroom_transfers_open)', 'strongroom_transfers_open has no label wallet'],
  ['strongroom_transfers_open{state="Failed", orgId="or-1"}', 'strongroom_transfers_open has no label orgId'],
  ['max(strongroom_signer_up) or absent(nowhere{state="strongroom_signer_up"})', 'nowhere exists nowhere'],
  ['vector(1)', 'vector(1) names no metric'],
])('the check reports the fault in %s', (expression, fault) => {
  expect(faultsOf(expression)).toEqual([fault]);
});

test('each of our metrics is on the dashboard or in an alert', () => {
  const unseen = Object.keys(METRICS).filter((name) => !expressions.some((expression) => expression.includes(name)));
  expect(unseen).toEqual([]);
});

test('each panel has its own id and is in one of the rows', () => {
  expect(dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
    'Overview',
    'Requests',
    'Transfers',
    'Approvals',
    'Outbox and webhooks',
    'Lanes and chain',
    'Signer',
    'Temporal SDK',
    'Processes',
  ]);
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(dashboard.panels[0]?.type).toBe('row');
});

test('the first row has only stats, and no other row has a stat', () => {
  const second = dashboard.panels.findIndex(({ type }, at) => at > 0 && type === 'row');
  expect(dashboard.panels.slice(1, second).map(({ type }) => type)).toEqual(Array.from({ length: second - 1 }, () => 'stat'));
  expect(dashboard.panels.slice(second).filter(({ type }) => type === 'stat')).toEqual([]);
  expect(second).toBeGreaterThan(6);
});

test('the pages to which stats link exist', () => {
  const named = panels.flatMap((panel) => (panel.type === 'stat' ? [...panel.description.matchAll(/docs\/[a-z/-]+\.md/g)] : []));
  expect(named.length).toBeGreaterThan(6);
  expect(named.map(([path]) => path).filter((path) => !existsSync(join(DEPLOY, '..', path)))).toEqual([]);
});

test('no two panels overlap', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(dashboard.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
});

/** The stat, the alert that fires when the stat turns red, and the bound in the expression of the alert. */
test.each([
  ['Last backup', 'StrongroomBackupOld', /> (\d+) \* (\d+)$/],
  ['Next certificate ends in', 'StrongroomCertificateNearEnd', /< (\d+) \* (\d+)$/],
  ["Signer's disk, free", 'StrongroomSignerDiskLow', /< ([0-9.]+)$/],
  ['Requests that fail', 'StrongroomRequestsFailing', /> ([0-9.]+)$/],
  ['Oldest outbox row', 'StrongroomOutboxLag', /> ([0-9.]+)$/],
  ['Follower furthest behind', 'StrongroomFollowerBehind', /> ([0-9.]+)$/],
])('the stat "%s" turns red at the bound at which %s fires', (title, alert, bound) => {
  const stat = panels.find((panel) => panel.title === title);
  const steps = stat?.type === 'stat' ? stat.fieldConfig.defaults.thresholds.steps : [];
  const red = steps.findIndex(({ color }) => color === 'red');
  // If red is the lowest colour, its bound is the start of the next colour.
  const edge = steps[red]?.value ?? steps[red + 1]?.value;
  const [, first, second = '1'] = bound.exec(rules.find((rule) => rule.alert === alert)?.expr ?? '') ?? [];
  expect(edge).toBe(Number(first) * Number(second));
});

test('codes and reasons that an expression selects exist', () => {
  const selected = (label: string) =>
    expressions.flatMap((expression) =>
      [...expression.matchAll(new RegExp(`${label}[!=]~?"([^"]*)"`, 'g'))].flatMap(([, text = '']) => text.split('|')),
    );
  expect(selected('code').filter((code) => !(code in ERRORS))).toEqual([]);
  const known = ['Done', 'Failed', 'Unavailable', 'Disagreed', 'Received', 'Compared', 'Unread'];
  const outcomes = [...known, ...RefusalReason.options];
  expect(selected('outcome').filter((outcome) => !outcomes.includes(outcome))).toEqual([]);
});

/** The alerts whose expression selects orders with this outcome. */
const alertsOn = (outcome: string) =>
  rules
    .filter(({ expr }) =>
      [...expr.matchAll(/strongroom_signer_orders_total\{outcome(=|!=|=~|!~)"([^"]*)"\}/g)].some(
        ([, operator = '', text = '']) =>
          operator.startsWith('!') ? !text.split('|').includes(outcome) : text.split('|').includes(outcome),
      ),
    )
    .map(({ alert, labels }) => `${alert} ${labels.severity}`);

test('each refusal by the signer has one alert, and an alert about a freeze, a clock or a queue does not page anyone', () => {
  const ofTheMoment: Readonly<Record<string, readonly string[]>> = {
    Done: [],
    Failed: [],
    Frozen: ['StrongroomSignerFrozen ticket'],
    Busy: ['StrongroomSignerBusy ticket'],
    ReplicaAway: ['StrongroomSignerReplicaAway page'],
    ClockDrift: ['StrongroomSignerClock ticket'],
    OrderExpired: ['StrongroomSignerClock ticket'],
  };
  for (const outcome of ['Done', 'Failed', ...RefusalReason.options])
    expect([outcome, alertsOn(outcome)]).toEqual([outcome, ofTheMoment[outcome] ?? ['StrongroomSignerRefused page']]);
});

test('the recorded list of the SDK’s metrics comes from the installed version of the SDK', () => {
  const manifest = join(dirname(require.resolve('@temporalio/worker')), '..', 'package.json');
  expect(SDK_METRICS.sdk).toBe((JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version);
});

test('the sample configuration scrapes every job in the alerts, and loads the rules in its folder', () => {
  const sample = z
    .looseObject({ rule_files: z.array(z.string()), scrape_configs: z.array(z.looseObject({ job_name: z.string() })) })
    .parse(parse(read('prometheus', 'prometheus.yml')));
  expect(sample.rule_files).toEqual(['alerts.yml']);
  expect(sample.scrape_configs.map(({ job_name }) => job_name)).toEqual([
    'strongroom-api',
    'strongroom-worker',
    'strongroom-temporal-sdk',
  ]);
});

const named: readonly (readonly [string, MetricSpec])[] = Object.entries(METRICS);

test.each(named)(
  '%s follows the naming rules of Prometheus, and has only known labels',
  (name, { type, labels, buckets, help }) => {
    expect(name).toMatch(/^strongroom_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(buckets !== undefined).toBe(type === 'histogram');
    expect([...(buckets ?? [])].sort((a, b) => a - b)).toEqual(buckets ?? []);
    expect(help.length).toBeGreaterThan(10);
    expect(labels.filter((label) => !(label in LABELS))).toEqual([]);
  },
);

test('no label name refers to an id, an address, an amount or an organisation', () => {
  expect(Object.keys(LABELS).filter((label) => /id$|address|amount|org|user|wallet|hash|key|token|url/i.test(label))).toEqual([]);
});
