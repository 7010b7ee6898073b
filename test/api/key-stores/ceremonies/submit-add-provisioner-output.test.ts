import { testsOfOutput } from '../../../support/ceremony-api';
import { noteAnswer } from '../../../support/examples';
import { createParty } from '../../../support/fleet-parties';

testsOfOutput({
  note: (body, answer, params) => noteAnswer('submitAddProvisionerOutput', body, answer, params),
  request: { kind: 'AddProvisioner', hsmTargetSerial: 'D-1', macTargetSerial: 'P-4' },
  joining: createParty('Provisioner', 'P-4'),
  bad: [],
});
