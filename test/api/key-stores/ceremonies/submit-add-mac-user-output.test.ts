import { testsOfOutput } from '../../../support/ceremony-api';
import { createParty } from '../../../support/fleet-parties';

testsOfOutput({
  request: { kind: 'AddMacUser', hsmTargetSerial: 'D-1', macTargetSerial: 'M-2' },
  joining: createParty('Operator', 'M-2'),
  bad: [],
});
