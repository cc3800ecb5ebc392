import '../style.css';
import './explorer.css';
import { h } from '../dom';
import { ExplorerPage } from './page';
import type { About } from './search';
import { Server } from './server';

const place = document.getElementById('page')!;
try {
  const about = JSON.parse(document.getElementById('story')?.textContent ?? '') as About;
  new ExplorerPage(about, new Server(new URLSearchParams(location.search).get('token') ?? ''), place);
} catch (error) {
  place.append(h('p', { role: 'alert' }, `This page cannot be shown: ${String(error)}`));
}
