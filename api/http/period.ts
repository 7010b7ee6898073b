import { z } from 'zod';
import type { CsvExport } from '../../application/csv-export';
import { TextAnswer } from './answer';

/** Postgres cannot read years outside this range in the format that JavaScript writes. */
const isWritable = (date: Date): boolean => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999;

const Moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine(isWritable, 'must be in the years 1 to 9999');

/** The query parameters for a period, which includes both ends. */
export const periodMembers = {
  startTime: Moment.describe('ISO 8601 with Z or an offset'),
  endTime: Moment.describe('ISO 8601 with Z or an offset; not before startTime'),
};

type Period = { readonly startTime: Date; readonly endTime: Date };

export const isInOrder = ({ startTime, endTime }: Period): boolean => startTime <= endTime;
export const OUT_OF_ORDER = { path: ['endTime'], message: 'must not be before startTime' };

/** The number of lines lets a client show its progress. */
export const csvAnswer = ({ isTruncated, rows, csv }: CsvExport): TextAnswer =>
  new TextAnswer('text/csv', csv, {
    'Strongroom-Rows': String(rows),
    ...(isTruncated ? { 'X-SVC-Result-Truncated': 'true' } : {}),
  });
