import { testsOfInput } from '../../../support/ceremony-api';
import { noteAnswer } from '../../../support/examples';

testsOfInput({
  note: (body, answer, params) => noteAnswer('createAddMacUserInput', body, answer, params),
  request: { kind: 'AddMacUser', hsmTargetSerial: 'D-1', macTargetSerial: 'M-2' },
  bad: [
    ['body.macTargetSerial', { macTargetSerial: 'M-1' }],
    ['body.hsmTargetSerial', { hsmTargetSerial: 'D-9' }],
    ['body.macTargetSerial', { macTargetSerial: 'a b' }],
  ],
});
