import { testsOfInput } from '../../../support/ceremony-api';
import { noteAnswer } from '../../../support/examples';

testsOfInput({
  note: (body, answer, params) => noteAnswer('createAddProvisionerInput', body, answer, params),
  request: { kind: 'AddProvisioner', hsmTargetSerial: 'D-1', macTargetSerial: 'P-4' },
  bad: [
    ['body.macTargetSerial', { macTargetSerial: 'P-1' }],
    ['body.hsmTargetSerial', { hsmTargetSerial: 'D-9' }],
    ['body.macTargetSerial', { macTargetSerial: 'a b' }],
  ],
});
