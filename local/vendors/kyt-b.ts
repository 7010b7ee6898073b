import { z } from 'zod';
import { vendorPart } from './part';

const Script = z.strictObject({ riskScore: z.int().min(0).max(100).default(0) });
const Question = z.looseObject({ requestId: z.string() });

/** Simulates the vendor that returns a risk score (docs/screening.md). */
export const createKytB = () =>
  vendorPart({
    name: 'kyt-b',
    title: 'KytB: a risk score',
    Script,
    answer: ({ method, path, body }, { riskScore }) => {
      if (method !== 'POST' || path !== '/v1/risk-scores') return undefined;
      const question = Question.safeParse(body);
      if (!question.success) return { status: 400, body: { error: 'BadRequest' } };
      return { status: 200, body: { requestId: question.data.requestId, riskScore } };
    },
    reset: () => undefined,
  });
