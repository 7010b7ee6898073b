import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { z } from 'zod';
import { METRICS, type MetricSpec } from '../../domain/metrics';
import { namesIn } from './promql';

/** The metrics of the SDK, recorded from a real worker. The recording includes failing activities and a silent server. */
export const SDK_METRICS = z
  .strictObject({ sdk: z.string(), names: z.array(z.string()) })
  .parse(require(join(__dirname, '..', 'deploy', 'sdk-metrics.json')));

/** Labels that the scraper adds. */
const FROM_OUTSIDE = ['job', 'instance'];
const SUFFIXES = ['_bucket', '_sum', '_count'];
const specs: Readonly<Record<string, MetricSpec>> = METRICS;

function nodeMetrics(): readonly string[] {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  registry.clear();
  return names;
}

const foreign = new Set(['up', 'ALERTS', ...nodeMetrics(), ...SDK_METRICS.names]);

/** Splits a name into its base and the suffix of a histogram. */
function split(name: string): { readonly base: string; readonly suffix: string | undefined } {
  const suffix = SUFFIXES.find((end) => name.endsWith(end));
  return { base: suffix === undefined ? name : name.slice(0, -suffix.length), suffix };
}

function faultOfMetric(name: string, labels: readonly string[]): string[] {
  if (foreign.has(name) || foreign.has(split(name).base)) return [];
  const { base, suffix } = name in specs ? { base: name, suffix: undefined } : split(name);
  const spec = specs[base];
  if (!spec) return [`${name} exists nowhere`];
  if ((spec.type === 'histogram') !== (suffix !== undefined)) return [`${name} is a ${spec.type}`];
  const known: readonly string[] = [...spec.labels, ...FROM_OUTSIDE, ...(suffix === '_bucket' ? ['le'] : [])];
  return labels.filter((label) => !known.includes(label)).map((label) => `${name} has no label ${label}`);
}

/** The faults of an expression: metrics that do not exist, and labels that our metrics do not have. */
export function faultsOf(expression: string): string[] {
  const { metrics, groupedBy } = namesIn(expression);
  if (metrics.length === 0) return [`${expression} names no metric`];
  return metrics.flatMap(({ name, labels }) => faultOfMetric(name, [...labels, ...groupedBy]));
}
