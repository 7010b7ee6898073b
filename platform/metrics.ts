import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type LabelsOf, METRICS, type MetricName, type MetricProcess, type MetricSpec, type NameOf } from '../domain/metrics';
import type { Logger } from './logger';

export type Sample = { readonly name: MetricName; readonly labels: Readonly<Record<string, string>>; readonly value: number };

/**
 * Each scrape calls `read`, and the samples replace all values of `metrics`. If `read` fails or is late, the scrape lacks these
 * metrics.
 */
export type Source = {
  readonly name: string;
  readonly metrics: readonly MetricName[];
  readonly read: () => Promise<readonly Sample[]> | readonly Sample[];
};

export type Metrics = {
  readonly count: <N extends NameOf<'counter'>>(name: N, labels: LabelsOf<N>) => void;
  /** Shows the counter as zero from the start. Prometheus would not see the first event of a new counter as an increase. */
  readonly begin: <N extends NameOf<'counter'>>(name: N, labels: LabelsOf<N>) => void;
  readonly observe: <N extends NameOf<'histogram'>>(name: N, labels: LabelsOf<N>, seconds: number) => void;
  readonly add: <N extends NameOf<'gauge'>>(name: N, labels: LabelsOf<N>, change: number) => void;
  readonly addSource: (source: Source) => void;
  /** Observes Node.js itself. The observation has a constant cost, so only a process that is scraped calls this function. */
  readonly watchNode: () => void;
  /** Concurrent scrapes share one text. */
  readonly scrape: () => Promise<string>;
};

/** The maximum number of series of a metric. Any further series is reported as `other`. */
export const SERIES_MAX = 1_000;
const SOURCE_LIMIT_MS = 3_000;

/** For a counter, the value may be a total that another process has counted. */
export function sampleOf<N extends NameOf<'counter' | 'gauge'>>(name: N, labels: LabelsOf<N>, value: number): Sample {
  return { name, labels, value };
}

type Instrument = Counter | Gauge | Histogram;

function instrumentOf(name: string, { type, help, labels, buckets }: MetricSpec, registry: Registry): Instrument {
  const shared = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'counter') return new Counter(shared);
  if (type === 'gauge') return new Gauge(shared);
  return new Histogram({ ...shared, ...(buckets ? { buckets: [...buckets] } : {}) });
}

function createInstruments(process: MetricProcess, registry: Registry): (name: MetricName) => Instrument {
  const specs: readonly (readonly [string, MetricSpec])[] = Object.entries(METRICS);
  const own = specs.filter(([, { processes }]) => processes.includes(process));
  const instruments = new Map(own.map(([name, spec]) => [name, instrumentOf(name, spec, registry)]));
  return (name) => {
    const found = instruments.get(name);
    if (!found) throw new Error(`${name} is not a metric of the ${process} process`);
    return found;
  };
}

/** Replaces new labels by `other` once their metric has `SERIES_MAX` series. */
function createSeriesBound() {
  const series = new Map<string, Set<string>>();
  return (name: MetricName, labels: Readonly<Record<string, string>>): Record<string, string> => {
    const words = Object.values(labels);
    if (words.length === 0) return {};
    const known = series.get(name) ?? new Set();
    series.set(name, known);
    const key = words.join(' ');
    if (known.has(key)) return labels;
    if (known.size < SERIES_MAX) {
      known.add(key);
      return labels;
    }
    return Object.fromEntries(Object.keys(labels).map((label) => [label, 'other']));
  };
}

async function readWithin(source: Source, limitMs: number): Promise<readonly Sample[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([(async () => source.read())(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

export function createMetrics(process: MetricProcess, logger: Logger, sourceLimitMs = SOURCE_LIMIT_MS): Metrics {
  const registry = new Registry();
  const instrument = createInstruments(process, registry);
  const bounded = createSeriesBound();
  const sources: Source[] = [];

  const clear = (names: readonly MetricName[]) => {
    for (const name of names) {
      const found = instrument(name);
      found.reset();
      // After a reset, a gauge without labels would wrongly show zero.
      if (found instanceof Gauge && METRICS[name].labels.length === 0) found.remove();
    }
  };
  const put = ({ name, labels, value }: Sample) => {
    const found = instrument(name);
    if (found instanceof Gauge) found.set(bounded(name, labels), value);
    if (found instanceof Counter) found.inc(bounded(name, labels), value);
  };
  const count: Metrics['count'] = (name, labels) => {
    const found = instrument(name);
    if (found instanceof Counter) found.inc(bounded(name, labels));
  };

  const begin: Metrics['begin'] = (name, labels) => put(sampleOf(name, labels, 0));

  const ask = async (source: Source): Promise<void> => {
    try {
      const samples = await readWithin(source, sourceLimitMs);
      clear(source.metrics);
      samples.forEach(put);
    } catch (error) {
      clear(source.metrics);
      count('strongroom_scrape_errors_total', { source: source.name });
      logger.warn({ err: error }, `a scrape lacks the values of ${source.name}`);
    }
  };

  let scraping: Promise<string> | undefined;
  const scrape = async (): Promise<string> => {
    await Promise.all(sources.map(ask));
    return registry.metrics();
  };

  return {
    count,
    begin,
    observe: (name, labels, seconds) => {
      const found = instrument(name);
      if (found instanceof Histogram) found.observe(bounded(name, labels), seconds);
    },
    add: (name, labels, change) => {
      const found = instrument(name);
      if (found instanceof Gauge) found.inc(bounded(name, labels), change);
    },
    addSource: (source) => {
      clear(source.metrics);
      sources.push(source);
      begin('strongroom_scrape_errors_total', { source: source.name });
    },
    watchNode: () => collectDefaultMetrics({ register: registry }),
    scrape: () => {
      scraping ??= scrape().finally(() => {
        scraping = undefined;
      });
      return scraping;
    },
  };
}
