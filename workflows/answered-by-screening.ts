import { executeChild, ParentClosePolicy, patched, WorkflowIdReusePolicy } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { ASKING_LIMIT_MS, askScreening } from './ask-screening';
import { childEnd } from './child-end';
import { SCREENING, type ScreeningWorkflow, type VendorAsk } from './screening.messages';
import { DEADLINE, ORG_ID, STAGE } from './search-keys';

type Steps = { readonly orgId: string; readonly recordId: string; readonly main: Pick<Activities, 'failScreening'> };

/**
 * Waits until the screening's own workflow has ended in any way. The next judgement reads the row, and asks the vendor again if
 * the row has no answer. A run that began under a release without workflows for screenings asks the vendor itself.
 */
export async function answeredByScreening(question: VendorAsk, { orgId, recordId, main }: Steps): Promise<void> {
  if (!patched('screening-is-a-workflow')) return askScreening(question, { orgId, main });
  const asked = () =>
    executeChild<ScreeningWorkflow>(SCREENING, {
      workflowId: `${recordId}:${question.vendor}`,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.TERMINATE,
      args: [{ orgId, ...question }],
      typedSearchAttributes: [
        { key: ORG_ID, value: orgId },
        { key: STAGE, value: 'Screening' },
        { key: DEADLINE, value: new Date(Date.now() + ASKING_LIMIT_MS) },
      ],
      staticSummary: `${question.vendor} for ${recordId}`,
    });
  await childEnd(asked, () => false);
}
