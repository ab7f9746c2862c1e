/** One's own account: password, second factor, sessions. */
import { useSession } from '../api/session.ts';
import { Page } from '../parts/page.tsx';
import { ChangePassword } from './change-password.tsx';
import SecondFactor from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export default function Account() {
  const user = useSession()?.user;
  return (
    <Page title="Your account" about={user && `${user.name}, ${user.email}, ${user.role}`}>
      <ChangePassword />
      <SecondFactor />
      <Sessions />
    </Page>
  );
}
