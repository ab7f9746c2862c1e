import { Page } from '../parts/page.tsx';

export default function Today() {
  return <Page title="Today">{null}</Page>;
}
