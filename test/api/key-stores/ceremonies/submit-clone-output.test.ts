import { testsOfOutput } from '../../../support/ceremony-api';
import { noteAnswer } from '../../../support/examples';
import { createParty } from '../../../support/fleet-parties';

testsOfOutput({
  note: (body, answer, params) => noteAnswer('submitCloneOutput', body, answer, params),
  request: { kind: 'Clone', hsmSourceSerial: 'D-1', hsmTargetSerial: 'D-2' },
  joining: createParty('Device', 'D-2'),
  bad: [],
});
