import { testsOfOutput } from '../../../support/ceremony-api';
import { noteAnswer } from '../../../support/examples';

testsOfOutput({
  note: (body, answer, params) => noteAnswer('submitKeyHarvestOutput', body, answer, params),
  request: { kind: 'KeyHarvest', hsmTargetSerial: 'D-1', macTargetSerial: 'M-1', macTargetUsername: 'Ada', numEd25519: 2 },
  bad: [],
});
