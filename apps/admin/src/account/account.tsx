/** One's own account: password, second factor, sessions. */

import { useSession } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Page } from '../parts/page.tsx';
import { spoken } from '../parts/worded.ts';
import { ChangePassword } from './change-password.tsx';
import SecondFactor from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export default function Account() {
  const user = useSession()?.user;
  return (
    <Page title={t('Your account')} about={user && `${user.name}, ${user.email}, ${spoken(user.role)}`}>
      <ChangePassword />
      <SecondFactor />
      <Sessions />
    </Page>
  );
}
