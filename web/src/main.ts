import './style.css';
import { storyFrom } from './story';
import { ReportPage } from './page';
import { h } from './dom';

const place = document.getElementById('page')!;
try {
  new ReportPage(storyFrom(document.getElementById('story')?.textContent ?? ''), place);
} catch (error) {
  place.append(h('p', { role: 'alert' }, `This page cannot be shown: ${String(error)}`));
}
