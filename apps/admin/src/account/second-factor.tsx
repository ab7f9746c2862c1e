/** One-time codes at the sign-in: setting them up with an authenticator app, and turning them off. */

import { Alert, Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Answer } from '../api/client.ts';
import { useRead, useWrite } from '../api/query.ts';
import { session } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Confirm } from '../parts/confirm.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';
import { Leaving } from '../parts/leaving.tsx';
import { Section } from '../parts/page.tsx';
import { SecretBox } from '../parts/secret-box.tsx';
import { SentFields, useSending } from '../parts/sending.tsx';
import { Shown } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { QrCode } from './qr-code.tsx';

/** `children`: what else may be done while nothing is begun. */
export default function SecondFactor({ children }: { children?: ReactNode }) {
  const own = useRead('getOwnStaffUser', {});
  const [codes, setCodes] = useState<string[]>();
  const begin = useWrite('beginSecondFactor');
  const finish = () => {
    begin.reset();
    setCodes(undefined);
    session.learn({ lacksSecondFactor: false });
  };
  return (
    <Section title={t('One-time codes')} aside={own.data?.staff_user?.second_factor && <Badge color="green">{t('on')}</Badge>}>
      <Shown of={own} rows={2}>
        {({ staff_user }) => {
          if (codes) return <RecoveryCodes codes={codes} onDone={finish} />;
          // Also when the codes are on and the answer that has the recovery codes was lost.
          if (begin.data) return <FirstCode of={begin.data} onCodes={setCodes} />;
          return (
            <Stack>
              {staff_user?.second_factor ? <TurnOff /> : <SetUp busy={begin.isPending} onBegin={() => begin.mutate({})} />}
              {children}
            </Stack>
          );
        }}
      </Shown>
    </Section>
  );
}

function SetUp({ busy, onBegin }: { busy: boolean; onBegin: () => void }) {
  return (
    <Stack align="flex-start">
      <Text size="sm">
        {t('With a second factor a stolen password is not enough: signing in also asks for a code that an app on your phone shows.')}
      </Text>
      <Button loading={busy} onClick={onBegin}>
        {t('Set up one-time codes')}
      </Button>
    </Stack>
  );
}

function FirstCode({ of, onCodes }: { of: Answer<'beginSecondFactor'>; onCodes: (codes: string[]) => void }) {
  const [otp, setOtp] = useState('');
  const confirm = useWrite('confirmSecondFactor', {
    changes: ['getOwnStaffUser', 'listStaffSessions'],
    quiet: true,
    onDone: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  const { submit, isLost, isLocked } = useSending(confirm, () => confirm.mutate({ body: { otp } }));
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('Scan this with an authenticator app, or enter the secret there, and type the code that it shows.')}</Text>
        <QrCode text={of.uri} label={t('QR code for the authenticator app')} />
        <SecretBox text={of.secret} label={t('the secret for the app')} />
        <SentFields sent={confirm}>
          <TextField
            label={t('Code of the app')}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            value={otp}
            onText={setOtp}
          />
        </SentFields>
        <FormButtons busy={confirm.isPending} isLost={isLost} action={t('Turn it on')} />
        {isLocked && <Leaving when lost={t('The recovery codes are shown only now.')} />}
      </Stack>
    </form>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Stack>
      <Leaving when lost={t('The recovery codes are shown only now.')} />
      <Alert color="yellow" title={t('Keep these recovery codes')}>
        {t('Each one signs you in once when you do not have the app. They are shown only now.')}
      </Alert>
      <SimpleGrid cols={{ base: 1, xs: 2 }} role="list" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <Text key={code} className="code" role="listitem">
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('I have stored them')}</Button>
      </Group>
    </Stack>
  );
}

function TurnOff() {
  const [asked, setAsked] = useState(false);
  const remove = useWrite('removeOwnSecondFactor', {
    changes: ['getOwnStaffUser', 'listStaffSessions'],
    done: t('One-time codes are off'),
    quiet: true,
    onDone: () => setAsked(false),
  });
  return (
    <Stack align="flex-start">
      <Text size="sm">{t('Signing in asks for a code of your authenticator app, or for one of your recovery codes.')}</Text>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t('Turn off')}
      </Button>
      <Confirm
        opened={asked}
        title={t('Turn off one-time codes?')}
        action={t('Turn them off')}
        sent={remove}
        onConfirm={() => remove.mutate({})}
        onClose={() => setAsked(false)}
      >
        {t('Your password alone signs you in then, and the recovery codes are void.')}
      </Confirm>
    </Stack>
  );
}
