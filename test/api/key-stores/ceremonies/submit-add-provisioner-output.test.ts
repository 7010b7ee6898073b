import { testsOfOutput } from '../../../support/ceremony-api';
import { createParty } from '../../../support/fleet-parties';

testsOfOutput({
  request: { kind: 'AddProvisioner', hsmTargetSerial: 'D-1', macTargetSerial: 'P-4' },
  joining: createParty('Provisioner', 'P-4'),
  bad: [],
});
