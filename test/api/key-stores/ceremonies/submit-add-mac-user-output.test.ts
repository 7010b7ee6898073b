import { testsOfOutput } from '../../../support/ceremony-api';
import { noteAnswer } from '../../../support/examples';
import { createParty } from '../../../support/fleet-parties';

testsOfOutput({
  note: (body, answer, params) => noteAnswer('submitAddMacUserOutput', body, answer, params),
  request: { kind: 'AddMacUser', hsmTargetSerial: 'D-1', macTargetSerial: 'M-2' },
  joining: createParty('Operator', 'M-2'),
  bad: [],
});
