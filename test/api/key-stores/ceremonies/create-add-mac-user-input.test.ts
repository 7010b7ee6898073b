import { testsOfInput } from '../../../support/ceremony-api';

testsOfInput({
  request: { kind: 'AddMacUser', hsmTargetSerial: 'D-1', macTargetSerial: 'M-2' },
  bad: [
    ['body.macTargetSerial', { macTargetSerial: 'M-1' }],
    ['body.hsmTargetSerial', { hsmTargetSerial: 'D-9' }],
    ['body.macTargetSerial', { macTargetSerial: 'a b' }],
  ],
});
