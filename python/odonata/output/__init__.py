"""What is made of results: pictures, reports, views, timelines, exports, and what noise says."""
