/** The frame around every page: navigation, who is signed in, light and dark. */

import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { CheckIcon, DesktopIcon, ExitIcon, MoonIcon, PersonIcon, SunIcon } from '@radix-ui/react-icons';
import { useIsFetching } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { hasRole, useSession } from '../api/session.ts';
import { StoreContext, useStore, useStoreFacts } from '../api/store.ts';
import { t } from '../language/t.ts';
import { catalogue } from '../parts/catalogue.ts';
import { useScansPressNothing } from '../parts/scans-press-nothing.ts';
import { Loading } from '../parts/states.tsx';
import { spoken } from '../parts/worded.ts';
import { AwayBar } from './away-bar.tsx';
import { ConfirmPassword } from './confirm-password.tsx';
import { DemandedFactor } from './demanded-factor.tsx';
import { pageGroups } from './pages.ts';
import { SignIn, SignInOver } from './sign-in.tsx';
import { useSignOut } from './use-sign-out.tsx';

const headerHeight = 56;
const navigationWidth = 232;
/** Answers that come sooner need no mark. */
const waitingAfterMs = 500;

export function Shell() {
  const signedIn = useSession();
  if (!signedIn) return <SignIn />;
  const { id } = signedIn.user;
  return (
    <>
      <SignedIn key={id} />
      {signedIn.lacksSecondFactor && <DemandedFactor />}
      {signedIn.lapsed && <SignInOver userId={id} />}
    </>
  );
}

function SignedIn() {
  useEffect(() => catalogue.clear, []);
  return (
    <StoreContext value={useStoreFacts()}>
      <Frame />
      <ConfirmPassword />
    </StoreContext>
  );
}

function Frame() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const { name } = useStore();
  useScansPressNothing();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of page that closes the navigation.
  useEffect(() => {
    close();
    window.scrollTo(0, 0);
  }, [pathname, close]);
  // A till that stands for days has the files of its pages before a deployment takes them away.
  useEffect(
    () => void Promise.allSettled([import('../register/register.tsx'), import('../sales/sales.tsx'), import('../products/products.tsx')]),
    [],
  );
  return (
    <AppShell
      header={{ height: headerHeight }}
      navbar={{ width: navigationWidth, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#main">
        {t('Skip to the content')}
      </a>
      <AppShell.Header px="md" component="div" role="region" aria-label={t('Store and account')}>
        <Waiting />
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={opened} onClick={toggle} hiddenFrom="md" size="sm" aria-label={t('Navigation')} aria-expanded={opened} />
            <Text fw={650} truncate>
              {name || t('Store')}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SchemeMenu />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('Pages')} component="nav">
        <ScrollArea>
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Box maw={1240} mx="auto">
          <AwayBar />
          <Suspense fallback={<Loading rows={8} />}>
            <Outlet />
          </Suspense>
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

/** A search or the next page of a list is on its way, and what is shown is that of before. */
function Waiting() {
  const [isLong] = useDebouncedValue(useIsFetching() > 0, waitingAfterMs);
  return isLong && <div className="waiting" aria-hidden />;
}

function Navigation() {
  const user = useSession()?.user;
  const { has } = useStore();
  const { pathname } = useLocation();
  const isHere = (path: string) => (path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`));
  return pageGroups.map((group) => {
    const pages = group.pages.filter(({ role, needs }) => hasRole(user, role) && (!needs || has[needs]));
    if (pages.length === 0) return null;
    return (
      <Box key={group.name} mb="sm">
        <Text size="xs" c="dimmed" fw={600} px="sm" py={6}>
          {group.name}
        </Text>
        {pages.map(({ path, name, icon: Icon }) => (
          <NavLink
            key={path}
            component={Link}
            to={path}
            label={name}
            py={6}
            leftSection={<Icon aria-hidden />}
            active={isHere(path)}
            aria-current={isHere(path) ? 'page' : undefined}
            style={{ borderRadius: 'var(--mantine-radius-md)' }}
          />
        ))}
      </Box>
    );
  });
}

function SchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = [
    { value: 'light', name: t('Light'), icon: SunIcon },
    { value: 'dark', name: t('Dark'), icon: MoonIcon },
    { value: 'auto', name: t('As the device'), icon: DesktopIcon },
  ] as const;
  const Current = schemes.find(({ value }) => value === colorScheme)?.icon ?? DesktopIcon;
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label={t('Light or dark')}>
          <Current />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, name, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon aria-hidden />}
            rightSection={value === colorScheme && <CheckIcon aria-label={t('chosen')} />}
            onClick={() => setColorScheme(value)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function UserMenu() {
  const user = useSession()?.user;
  const { signOut, question } = useSignOut();
  if (!user) return null;
  return (
    <>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <UnstyledButton>
            <VisuallyHidden>{t('Account')}</VisuallyHidden>
            <Group gap="xs" wrap="nowrap">
              <span className="initials">{initialsOf(user.name)}</span>
              <Text size="sm" visibleFrom="sm">
                {user.name}
              </Text>
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {user.email}, {spoken(user.role)}
          </Menu.Label>
          <Menu.Item leftSection={<PersonIcon />} component={Link} to="/account">
            {t('Your account')}
          </Menu.Item>
          <Menu.Item leftSection={<ExitIcon />} onClick={signOut}>
            {t('Sign out')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {question}
    </>
  );
}

/** Of the first two names, or of the only one its first two letters. */
function initialsOf(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/);
  return (second ? first.charAt(0) + second.charAt(0) : first.slice(0, 2)).toUpperCase();
}
