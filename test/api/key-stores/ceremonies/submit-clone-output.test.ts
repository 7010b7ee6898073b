import { testsOfOutput } from '../../../support/ceremony-api';
import { createParty } from '../../../support/fleet-parties';

testsOfOutput({
  request: { kind: 'Clone', hsmSourceSerial: 'D-1', hsmTargetSerial: 'D-2' },
  joining: createParty('Device', 'D-2'),
  bad: [],
});
